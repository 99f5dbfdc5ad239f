EXTRA_DIST += runtime/abi.h runtime/script.h
include runtime/core/local.mk
include runtime/kit/local.mk
include runtime/user/local.mk
include runtime/loader/local.mk
