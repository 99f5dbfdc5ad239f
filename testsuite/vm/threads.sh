#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
# An emulated machine of several CPUs has a host thread for each where QEMU keeps breakpoints right with threads. QEMU is asked once, by a
# guest that exits with the answer; without an answer, with one CPU, with -icount and with the user's -accel it is as it was.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
need_native
test "$(machine)" = x86_64 || { echo "the guest that asks is for x86-64"; exit 77; }
release=$(kernels)
release=${release%% *}
real=$(command -v qemu-system-x86_64)
vm=$BUILDDIR/ktap-vm
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR
mkdir programs
PATH="$PWD/programs:$PATH"

# qemu COMMAND: makes a QEMU that runs COMMAND when it is asked, and writes its status to `asked`. It writes the accelerator of any other
# machine to `started`, and does not start it.
qemu()
{
	cat >programs/new <<-END
		#!/bin/sh
		case " \$* " in
		*isa-debug-exit*) ($1); status=\$?; echo \$status >>"$PWD/asked"; exit \$status ;;
		esac
		while test "\$1" != -accel; do shift; done
		echo "\$2" >>"$PWD/started"
		exit 1
	END
	chmod 755 programs/new
	mv programs/new programs/qemu-system-x86_64
	: >asked
}

# starts ACCELERATOR OPTION...: ktap-vm starts QEMU so.
starts()
{
	want=$1
	shift
	rm -f started
	timeout 120 "$vm" -n "$@" "$release" -- true >out 2>err && fail "the machine started"
	test "$(cat started)" = "$want" || fail "ktap-vm $* starts QEMU with '$(cat started)', not with '$want'"
}

# answers N: QEMU was asked N times since qemu().
answers()
{
	test "$(wc -l <asked)" = "$1" || fail "QEMU was asked $(wc -l <asked) times, not $1"
}

qemu 'exit 65'
timeout 120 "$vm" -n "$release" -- true >out 2>err && fail "the machine started"
test "$(cat started)" != kvm || { echo "machines are not emulated here"; exit 77; }
test "$(cat started)" = tcg,thread=multi || fail "a QEMU that is right gets '$(cat started)'"
answers 1

# The answer is kept until the program changes.
starts tcg,thread=multi
starts tcg,thread=multi -s 3
answers 1
qemu 'exit 65'
starts tcg,thread=multi
answers 1

# Nothing is asked where threads are of no use.
qemu 'exit 65'
starts tcg,thread=single -s 1
starts tcg,thread=single -q -icount -q shift=3
starts tcg,thread=multi,tb-size=64 -q -accel -q tcg,thread=multi,tb-size=64
answers 0

# It is wrong: kept as well.
qemu 'exit 67'
starts tcg,thread=single
starts tcg,thread=single
answers 1

# It has no such device, or ends in another way: no answer, which is asked for again.
for command in 'exit 1' 'exit 0' 'sh -c "kill -KILL \$\$"'; do
	qemu "$command"
	starts tcg,thread=single
	starts tcg,thread=single
	answers 2
done

# The program of this machine answers, and as the versions are known to be: 7.2 is wrong, 10 is right.
qemu "'$real' \"\$@\""
: >started
"$vm" -n "$release" -- true >out 2>err || :
version=$("$real" --version | sed -n '1s/.*version \([0-9]*\).*/\1/p')
echo "QEMU $version answers $(cat asked), so machines have $(cat started)"
case $(cat asked) in
65) test "$(cat started)" = tcg,thread=multi && test "$version" -ge 8 ;;
67) test "$(cat started)" = tcg,thread=single && test "$version" -lt 10 ;;
*) false ;;
esac || fail "as QEMU $version is not"
