# files of runtime/kit
