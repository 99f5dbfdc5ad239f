noinst_LIBRARIES += libtarget.a
libtarget_a_SOURCES = translator/target/target.h
