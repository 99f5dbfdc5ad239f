# Unit tests: programs that print TAP, three lines each. testsuite/run runs every program in testsuite/unit:
#	check_PROGRAMS += testsuite/unit/text_test
#	testsuite_unit_text_test_SOURCES = testsuite/unit/text_test.c
#	testsuite_unit_text_test_LDADD = libbase.a
