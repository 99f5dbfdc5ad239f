#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One round of the witness for hits of programs: testsuite/truth/hits-programs.pm.
exec perl "$SRCDIR/testsuite/truth/run" -b "$BUILDDIR" --seed 1 hits-programs
