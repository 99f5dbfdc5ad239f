#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One round of the witness for programs that are watched: testsuite/truth/behaviour.pm.
exec perl "$SRCDIR/testsuite/truth/run" -b "$BUILDDIR" --seed 1 behaviour
