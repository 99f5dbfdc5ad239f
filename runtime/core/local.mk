# files of runtime/core
