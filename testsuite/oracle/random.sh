#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Random programs print the same through ktap and through the evaluator.
test -x "$BUILDDIR/testsuite/oracle/oracle" || exit 77
exec "$SRCDIR/testsuite/oracle/run" -b "$BUILDDIR" 100 1
