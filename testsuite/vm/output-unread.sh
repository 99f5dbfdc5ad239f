#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The second Ctrl-C ends a VM whose output is a full pipe that nobody reads, which is an error; also where messages go to that pipe.
. "$SRCDIR/testsuite/lib/unread.sh"
need_kernel
release=$(kernels)
release=${release%% *}

for to in err pipe; do
	begin --vm="$release" --vm-exec 'while echo 0123456789012345678901234567890123456789; do :; done' 2>>$to
	kill -INT $pid
	finish 1
	[ $to = pipe ] || said 'cannot write the output: nobody reads it'
	empty
done
