#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One round of the witness for arguments of marks: testsuite/truth/marks.pm.
exec perl "$SRCDIR/testsuite/truth/run" -b "$BUILDDIR" --seed 1 marks
