noinst_LIBRARIES += libbuild.a
libbuild_a_SOURCES =
