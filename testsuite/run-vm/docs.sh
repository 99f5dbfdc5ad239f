#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! kernels: all
#! needs-config: MODULE_SIG X86_64
# On one machine, whose registers, functions and files the pages show: x86_64.
# Every command line of README.md and docs/, those in sentences too, runs, those of root in one virtual machine, and prints what
# the page shows.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels) # one is enough: the pages show the output of the oldest
perl "$SRCDIR/testsuite/lib/docs-run" "${release%% *}" "$SRCDIR/README.md" "$SRCDIR"/docs/*.md "$SRCDIR/examples/README.md" ||
	fail "the documentation shows something else"
