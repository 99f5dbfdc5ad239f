# files of runtime/user
