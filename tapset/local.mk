# The library: parsed on demand, installed as it is.
tapsetdir = $(pkgdatadir)/tapset
dist_tapset_DATA = \
	tapset/context.stp \
	tapset/memory.stp \
	tapset/session.stp \
	tapset/strings.stp \
	tapset/time.stp
