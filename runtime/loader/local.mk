# files of runtime/loader
