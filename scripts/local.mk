# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts run from the source tree and are distributed by folder: see KTAP_DIST in Makefile.am.
