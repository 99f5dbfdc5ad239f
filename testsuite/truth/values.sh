#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One round of the witness for structures: testsuite/truth/values.pm. Its seed has enumerators above 127 in a signed type, which gcc
# writes in one byte.
exec perl "$SRCDIR/testsuite/truth/run" -b "$BUILDDIR" --seed 3 values
