noinst_LIBRARIES += libsema.a
libsema_a_SOURCES =
