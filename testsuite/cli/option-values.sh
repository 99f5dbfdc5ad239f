#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Values that options refuse, and options that exclude each other: one error each, before anything is built.
. "$SRCDIR/testsuite/lib/sh.sh"
begin='probe begin { exit() }'

# wrong MESSAGE ARGUMENT...
wrong()
{
	message=$1
	shift
	ktap "$@" -e "$begin"
	refused "${tag:-usage}"
	said "error: $message"
}

wrong "--on-overload does not know 'x'" --on-overload=x
said 'note: possible: --on-overload=disarm$'
wrong "--transport does not know 'pigeon'" --transport=pigeon
said 'note: possible: --transport=relay$'
wrong '--transport is for scripts in the kernel' --runtime=user --transport=relay
wrong "-T needs seconds above 0, at most 1000000000, not 'x'" -T x
wrong "--vm-memory needs 128 to 1048576 megabytes, not '1'" --vm --vm-memory=1
wrong "--vm-cpus needs 1 to 255 CPUs, not '0'" --vm --vm-cpus=0
for option in memory=512 cpus=2 root=/ network; do
	wrong "--vm-${option%%=*} needs --vm" --vm-$option
done
wrong '--runtime=user runs in a process: it cannot go with --vm' --runtime=user --vm
wrong '-F needs -o FILE' -F
for option in '-S 1' '-f json' '-F' '--timestamps'; do
	# shellcheck disable=SC2086
	wrong '-b writes records that are not formatted' -b -o out $option
done
wrong "-d: './nosuch': No such file" -d ./nosuch
for kind in as nproc fsize; do
	wrong "--rlimit-$kind=x: it needs a number" --rlimit-$kind=x
done
ktap --rlimit-as=8000000000 --rlimit-fsize=1000000000 --on-overload=stop -p1 -e "$begin"
accepted
wrong "-c: there is no program '/no/such'" --runtime=user -c '/no/such word'
wrong '-x: there is no process 4194303' --runtime=user -x 4194303
wrong '-x 1: the processes of this machine are not in the virtual machine' --vm -x 1
wrong '-e may be given once; -E adds more text' -e "$begin"
wrong '--no-global-var-display cannot go with a view of the running session' --runtime=user --prometheus=127.0.0.1:0 --no-global-var-display
tag=io wrong "-o: cannot write '/no/such/file': No such file" --runtime=user -o /no/such/file
