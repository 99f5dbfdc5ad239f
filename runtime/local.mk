# Sources below runtime/ are installed and distributed by folder: see KTAP_TREES in Makefile.am.
include runtime/core/local.mk
include runtime/kit/local.mk
include runtime/user/local.mk
include runtime/loader/local.mk
