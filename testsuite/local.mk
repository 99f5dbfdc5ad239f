# files of testsuite
