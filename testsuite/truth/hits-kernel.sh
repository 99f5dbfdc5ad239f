#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One round of the witness for hits of kernel functions: testsuite/truth/hits-kernel.pm.
exec perl "$SRCDIR/testsuite/truth/run" -b "$BUILDDIR" --seed 1 hits-kernel
