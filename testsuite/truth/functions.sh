#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One round of the witness for functions that compute: testsuite/truth/functions.pm.
exec perl "$SRCDIR/testsuite/truth/run" -b "$BUILDDIR" --seed 1 functions
