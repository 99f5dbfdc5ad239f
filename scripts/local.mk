# Scripts run from the source tree and are distributed by folder: see KTAP_DIST in Makefile.am.
