#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One round of the witness for arguments of system calls: testsuite/truth/calls.pm.
exec perl "$SRCDIR/testsuite/truth/run" -b "$BUILDDIR" --seed 1 calls
