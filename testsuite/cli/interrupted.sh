#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Told to end while a compiler runs, ktap ends it and removes what is half made: a program's folder, a kit, a work folder.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
mkdir bin tmp
for R in $(debug_kernels); do break; done
KTAP_CACHE_DIR=$PWD/cache TMPDIR=$PWD/tmp PATH=$PWD/bin:$PATH
export KTAP_CACHE_DIR TMPDIR PATH

# A $1 that is at work until it is told to end.
stuck()
{
	rm -f bin/* at-work
	cat >"bin/$1" <<-EOF
	#!/bin/sh
	sleep 1000 &
	echo \$! >at-work.new
	mv at-work.new "$PWD/at-work"
	wait
	EOF
	chmod +x "bin/$1"
}

# interrupt SIGNAL STATUS ARGUMENT...
interrupt()
{
	signal=$1 expected=$2 status=0
	shift 2
	# Below nohup(1) SIGHUP is ignored, and ktap keeps to that.
	perl -e '$SIG{HUP} = "DEFAULT"; exec @ARGV or die' "$KTAP" "$@" -e 'probe begin { println("never") }' >out 2>err &
	until test -e at-work; do
		kill -0 $! || fail "it ended by itself"
		sleep 0.1
	done
	kill -s "$signal" $!
	wait $! || status=$?
	test "$status" = "$expected" || fail "status $status"
	# A process that is gone, or dead and not yet collected by the init of a container.
	while read -r pid state <"/proc/$(cat at-work)/stat" && expr "$state" : '.*) [^Z]' >/dev/null; do
		sleep 0.1
	done 2>/dev/null
	test ! -s err || fail "it complains"
	find tmp cache/kit cache/work cache/module -mindepth 1 2>/dev/null >left || :
	test ! -s left || fail "left behind: $(cat left)"
}

stuck gcc
interrupt TERM 143 --runtime=user
stuck gcc
interrupt HUP 129 --runtime=user -p4
stuck make
interrupt TERM 143 -r "$R" -p4
