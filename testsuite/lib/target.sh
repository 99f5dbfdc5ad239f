# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by testsuite/target/*.sh: the installed kernels with debugging information.
# shellcheck shell=sh
. "$SRCDIR/testsuite/lib/sh.sh"

debug_kernels()
{
	for vmlinux in /usr/lib/debug/boot/vmlinux-*; do
		test -r "$vmlinux" && echo "${vmlinux#*vmlinux-}"
	done
}

test -n "$(debug_kernels)" || { echo "no kernel with debugging information is installed"; exit 77; }

# on_each FUNCTION: runs it with $R set to each kernel in turn.
on_each()
{
	for R in $(debug_kernels); do
		"$1" || exit
	done
}

# analyse SCRIPT: -p2 -v.
analyse()
{
	ktap -r "$R" -p2 -v -e "$1"
}
