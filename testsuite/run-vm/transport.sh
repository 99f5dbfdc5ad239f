#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Rings and relay (--transport): the same output, exact losses, also with NMIs between, files of CPUs that merge to the same, nothing left after
# SIGKILL, and an idle reader that sleeps.
#
# Runs itself inside the VM with the words `guest KTAPRUN DIRECTORY`.

dir=/tmp/ktap-transport.$$ # the guest sees the host's /tmp

failed() { echo "$*"; for f in $dir/*err*; do echo "--- $f"; head -n 20 "$f"; done; exit 1; }

# The number in the warning about lost messages in FILE.
lost() { sed -n 's/^WARNING: There were \([0-9]*\) lost messages.*/\1/p' "$1"; }

# Waits until the session of MODULE, which process PID has, runs.
until_running() {
	until grep -q running /sys/module/"$1"/parameters/ktap_state 2>/dev/null; do kill -0 "$2" || failed "$1: over"; sleep 0.1; done
}

# Nobody reads the output for a while. 100,000 lines are printed, seven times what the buffer holds, or counted as lost.
overload() {
	{ "$1" --transport=$2 kt_flood.ko 2>$dir/err-$2 || echo "status $?" >>$dir/err-$2; } | { sleep 2; cat; } >$dir/flood-$2
	n=$(lost $dir/err-$2)
	[ "${n:-0}" -gt 1000 ] || failed "$2: nothing was lost"
	lines=$(wc -l <$dir/flood-$2)
	[ "$((n + lines))" = 100000 ] || failed "$2: $lines lines and $n lost"
	sort -u -c $dir/flood-$2 || failed "$2: lines are not in order"
}

# NMIs print while timers do. The script counts what was printed.
nmis() {
	"$1" --transport=$2 kt_nmi.ko >$dir/nmi-$2 2>$dir/err-$2 &
	i=0
	while [ $i -lt 40 ] && kill -0 $! 2>/dev/null; do echo l >/proc/sysrq-trigger; i=$((i + 1)); sleep 0.05; done
	wait $! || failed "$2: status $?"
	made=$(sed -n 's/^made \([0-9]*\) .*/\1/p' $dir/nmi-$2) handled=$(sed -n 's/^made .* in NMIs //p' $dir/nmi-$2) n=$(lost $dir/err-$2)
	[ "$handled" -gt 0 ] || failed "$2: no handler ran in an NMI"
	grep -q '^nmi' $dir/nmi-$2 || [ "${n:-0}" -ge "$handled" ] || failed "$2: no NMI printed"
	[ $((${n:-0} + $(wc -l <$dir/nmi-$2) - 1)) = "$made" ] || failed "$2: $(wc -l <$dir/nmi-$2) lines and ${n:-0} lost of $made"
}

# Calls of read() by all threads.
reads() { sed -n 's/^syscr: //p' /proc/"$1"/io; }

# At rest two looks a second, not 50. The lines that a timer prints later come all the same.
idle() {
	"$1" --transport=$2 kt_idle.ko 2>$dir/err-$2 >$dir/idle-pipe &
	pid=$!
	cat <$dir/idle-pipe >$dir/idle-$2 &
	until_running kt_idle $pid
	sleep 1
	before=$(reads $pid)
	sleep 2
	n=$(($(reads $pid) - before))
	[ $n -ge 1 ] && [ $n -le 20 ] || failed "$2: $n looks at the rings in 2 s of rest" # 4, or 100 without a call; sleep may take longer
	wait
	[ "$(wc -l <$dir/idle-$2)" = 7 ] || failed "$2: $(wc -l <$dir/idle-$2) lines"
}

# --bulk: the files of all CPUs hold what a session prints at once, in order, and names of addresses; warnings and commands come while the
# session runs. Losses are those of the session. What is wrong with a file is said, and the rest is printed.
bulk() {
	"$1" --transport=$2 --bulk -o $dir/bulk kt_bulk.ko >$dir/out 2>$dir/err-$2 &
	pid=$!
	until_running kt_bulk $pid
	[ "$(stat -c %a /proc/ktap_kt_bulk.cpu /proc/ktap_kt_bulk.cpu/1 | tr '\n' ' ')" = "500 400 " ] || failed "$2: modes of files"
	cat /proc/ktap_kt_bulk.cpu/1 2>/dev/null && failed "$2: a second reader of a CPU"
	echo 1 >/proc/systemtap/kt_bulk/go || failed "$2: no file to end the session with"
	wait $pid || failed "$2: --bulk: status $?"
	[ "$(cat $dir/out)" = "by a command" ] || failed "$2: --bulk printed $(cat $dir/out)"
	echo 'WARNING: warned' | cmp -s - $dir/err-$2 || failed "$2: --bulk said"
	files=$(ls $dir/bulk.*) others=$(ls -r $dir/bulk.* | grep -v 'bulk\.0$')
	"$1" --merge $others $dir/bulk.0 >$dir/merged 2>$dir/err-merge || failed "$2: --merge: status $?"
	[ ! -s $dir/err-merge ] || failed "$2: --merge said"
	awk 'BEGIN { last = -1 } $1 == "tick" { n[$2 > 0]++; if ($3 <= last) bad = 1; last = $3; if ($4 != "_printk") bad = 1; next } { other = other $0 ";" }
		END { print n[0], n[1], bad + 0, other }' $dir/merged >$dir/summary
	[ "$(cat $dir/summary)" = "20000 20000 0 begin;end 40000;" ] || failed "$2: --merge printed $(cat $dir/summary)"
	ln -sf "$1" $dir/stap-merge
	$dir/stap-merge -o $dir/again $files && cmp $dir/again $dir/merged || failed "$2: stap-merge"
	head -c 100001 $dir/bulk.0 >$dir/cut.0
	"$1" --merge $dir/cut.0 $others >$dir/again 2>$dir/err-merge && failed "$2: a cut file is not reported"
	[ "$(wc -l <$dir/err-merge)" = 1 ] && grep -q "cut.0' is cut short at byte" $dir/err-merge || failed "$2: a cut file"
	[ "$(grep -c '^tick [1-9]' $dir/again)" = 20000 ] || failed "$2: the other files are not printed"
	"$1" --merge $dir/bulk.1 >$dir/again 2>$dir/err-merge || failed "$2: one file alone: status $?"
	n=$(echo "$files" | wc -l)
	grep -qx "WARNING: The session wrote $n files: the output of $((n - 1)) CPUs is missing" $dir/err-merge || failed "$2: one file alone"
	[ ! -e $dir/old.1 ] || { "$1" --merge $dir/bulk.0 $dir/old.1 2>$dir/err-merge && failed "$2: two sessions"
		grep -q 'are of different sessions' $dir/err-merge || failed "$2: two sessions"; }
	mv $dir/bulk.1 $dir/old.1

	mount -t tmpfs -o size=512k none $dir/small
	"$1" --transport=$2 --bulk -o $dir/small/full kt_flood.ko 2>$dir/err-$2 && failed "$2: a full disk"
	grep -q 'No space left' $dir/err-$2 || failed "$2: a full disk"
	umount $dir/small
}

killed() {
	"$1" --transport=$2 kt_idle.ko >/dev/null 2>$dir/err-$2 &
	until_running kt_idle $!
	kill -KILL $!
	wait $! 2>/dev/null
	"$1" -d '*' 2>$dir/err-$2 || failed "$2: cannot remove the module"
	rm -f $dir/killed.? # of the other transport
	"$1" --transport=$2 --bulk -o $dir/killed kt_endless.ko >/dev/null 2>$dir/err-$2 &
	until "$1" --merge $dir/killed.? 2>/dev/null | grep -qx begin; do kill -0 $! || failed "$2: --bulk: over"; sleep 0.2; done
	kill -KILL $!
	wait $! 2>/dev/null
	"$1" --merge $dir/killed.? >$dir/again 2>$dir/err-merge && failed "$2: files that SIGKILL ended are not reported"
	grep -qx begin $dir/again && grep -q "killed.0' \(ends without its last block\|is cut short\)" $dir/err-merge ||
		failed "$2: files that SIGKILL ended"
	"$1" -d '*' 2>$dir/err-$2 || failed "$2: cannot remove the module with files of CPUs"
	! grep '^kt_' /proc/modules || failed "$2: a module is left"
	! ls -d /proc/ktap_* 2>/dev/null || failed "$2: files are left"
}

guest() {
	dmesg -n 1 # what the NMIs print looks like an oops
	cd "$2" && mkdir $dir && mkfifo $dir/idle-pipe && mkdir $dir/small || exit 1
	for transport in ring relay; do
		"$1" --transport=$transport kt_same.ko >$dir/same-$transport 2>$dir/err-$transport || failed "$transport: status $?"
		[ ! -s $dir/err-$transport ] || failed "$transport: it says"
		overload "$1" $transport
		[ "$(uname -m)" != x86_64 ] || nmis "$1" $transport
		bulk "$1" $transport
		killed "$1" $transport
		[ ! -e /proc/self/io ] || idle "$1" $transport # a kernel without TASK_IO_ACCOUNTING does not count reads
	done
	cmp $dir/same-ring $dir/same-relay || failed "the outputs differ"
	"$1" --transport=pipe kt_same.ko 2>$dir/err-pipe && failed "--transport=pipe was taken"
	grep -q 'error: --transport: expected ring or relay' $dir/err-pipe || failed "--transport=pipe"
	! dmesg | grep -E 'BUG|WARNING:|Oops|relay:' || failed "the kernel complains"
	echo passed
}

[ "$1" = guest ] && { shift; guest "$@"; exit; }
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
cat >same.stp <<'END'
global text
probe begin {
	text = "0123456789abcdef"
	for (i = 0; i < 4; i++) text = text . text
	for (i = 0; i < 30000; i++) printf("%d %s%c", i, substr(text, 0, i % 190), 10)
}
probe timer.ms(50) { if (++n == 10) { printf("%d%c", n, 10); exit() } }
global n
END
echo 'probe begin { for (i = 0; i < 100000; i++) println(1000000 + i, " and some text that makes the lines longer") exit() }' >flood.stp
cat >nmi.stp <<'END'
global made, handled
probe timer.ms(3) { for (i = 0; i < 900; i++) println(i, " of a timer"); made <<< 900 if (++ticks > 400) exit() }
global ticks
probe kernel.trace("nmi_handler") { println("nmi"); made <<< 1; handled <<< 1 }
probe end { println("made ", @sum(made), " in NMIs ", @count(handled)) }
END
echo 'global n probe timer.ms(700) { if (n++ >= 8) println(gettimeofday_ms()) if (n == 15) exit() }' >idle.stp
cat >bulk.stp <<'END'
global made, n0, n1, go
probe begin { println("begin"); warn("warned") }
probe timer.profile if (n0 + n1 < 40000) {
	for (i = 0; i < 500; i++)
		if (cpu() ? n1 < 20000 : n0 < 20000) {
			if (cpu()) n1++; else n0++
			printf("tick %d %d %s\n", cpu(), made++, symname(%{ /* pure */ (long)_printk %}))
		}
}
probe procfs("go").write { go = 1 }
probe timer.s(4) { if (go && n0 + n1 == 40000) exit() }
probe end { println("end ", n0 + n1); system("echo by a command") }
END
echo 'probe begin { println("begin") } probe timer.s(1) { println("tick") }' >endless.stp
for release in $(kernels); do
	for script in same flood nmi idle bulk endless; do
		# Only x86 has a tracepoint for NMIs.
		case $script$release in nmi*arm64) continue ;; esac
		# Room for all that `same` prints, whichever CPU it is on.
		buffer=8
		test $script != flood || buffer=1
		limit=300 ktap -r "$release" -g --suppress-time-limits -s $buffer -p4 -m kt_$script $script.stp
		[ "$status" = 0 ] || fail "cannot build for $release"
	done
	"$BUILDDIR/ktap-vm" -t 560 "$release" -- sh "$0" guest "$BUILDDIR/ktaprun" "$PWD" >out 2>err </dev/null ||
		fail "in the VM of $release"
	grep -q passed out || fail "in the VM of $release"
done
