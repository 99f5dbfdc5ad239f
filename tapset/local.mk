# files of tapset
