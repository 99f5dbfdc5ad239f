# files of scripts
