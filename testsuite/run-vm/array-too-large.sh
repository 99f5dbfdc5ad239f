#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Arrays for which there is not enough memory, one or all of them together, are refused when the module is loaded: no program is killed for
# them. The message names the largest. The sum of `ktap plan` is what the kernel allocates.
. "$SRCDIR/testsuite/lib/process.sh"
vm_options='-m 256'
limit=300

many=$(perl -e 'print "global big[4000]", map(", a$_", 1 .. 149), " probe begin { exit() } probe kernel.function(\"vfs_read\") { ",
	"big[user_string(0)]++ ", map("a$_\[user_string(0)]++ ", 1 .. 149), "}"')
held='global a, b[300], c, d[1000] probe begin { a[user_string(0, "none"), 1] = 1; c["x"] = "y"; println("held") }
	probe kernel.function("vfs_read") { b[pid(), execname()] <<< 1; d[pid()]++ }
	probe end { foreach (p in d-) println(d[p]); foreach ([p, n] in b) { println(@max(b[p, n])) print(@hist_log(b[p, n])) } }'

cat >memory.sh <<'END_OF_GUEST'
# A program that the OOM killer would choose.
perl -e '$| = 1; $x = "x" x 40000000; print "lives\n"; sleep 1000' >/tmp/kt-lives &
other=$!
until grep -q lives /tmp/kt-lives; do sleep 0.1; done
for name in one many; do
	"$KTAPRUN" kt_$name.ko >$RESULTS/$name.out 2>&1 && echo "$name: status 0"
	kill -0 $other || echo "$name: the other program died"
done
! dmesg | grep -i 'oom\|out of memory\|killed process' || echo 'memory was short'
"$KTAPRUN" kt_some.ko >/dev/null || echo "some: status $?"
"$KTAPRUN" kt_held.ko >/tmp/kt-out 2>&1 &
pid=$!
until grep -q held /tmp/kt-out; do kill -0 $pid || { cat /tmp/kt-out; break; }; sleep 0.1; done
grep 'kt_alloc.*\[kt_held\]' /proc/vmallocinfo >$RESULTS/held
kill -INT $pid; wait $pid
kill $other
END_OF_GUEST

for release in $(kernels); do
	module one -w -e 'global a[8000000] probe begin { a[user_string(1, "x")]++; exit() }'
	module many -w -e "$many"
	module some -w -DMAPSTRINGLEN=16 -e 'global a[200000] probe begin { a[user_string(1, "x")]++; exit() }'
	module held --on-overload=ignore --no-global-var-display -e "$held"
	"$KTAP" plan -r "$release" --no-global-var-display -e "$held" >plan.out
	in_guest_silent <memory.sh
	in_guest 'nproc >$RESULTS/cpus'
	boot
	silent
	for name in one many; do
		grep -q '^ktap: error: cannot load module .*: Cannot allocate memory \[run\]$' "results/$name.out" &&
			grep -q 'note: .* lower -D MAXMAPENTRIES, -D MAPSTRINGLEN or -s$' "results/$name.out" || fail "$name: $(cat "results/$name.out")"
	done
	grep -Eq "note: its 150 arrays take [2-9][0-9][0-9]\.[0-9] MB, and the machine has 1?[0-9][0-9] MB" results/many.out &&
		grep -q "note: the largest: 'big' (.* for 4000 elements), 'a.*' (.* for 2048 elements)" results/many.out || fail "$(cat results/many.out)"
	# The plan is for the CPUs of this machine, and the guest may have more.
	# vmallocinfo rounds each part up to pages, and adds one that guards it.
	perl -e 'my ($told, $bytes, $parts, $cpus, $each) = (0, 0, 0, 0, 0);
		my %unit = (KB => 1024, MB => 1 << 20);
		open my $p, "<", "plan.out";
		while (<$p>) {
			($told, $cpus) = ($1 * $unit{$2}, $3) if /^# memory of arrays: ([\d.]+) (.B) with (\d+) CPUs/;
			$each += $1 * $unit{$2} if /, and ([\d.]+) (.B) for each CPU/;
		}
		open my $c, "<", "results/cpus";
		$told += (<$c> - $cpus) * $each if $told;
		open my $h, "<", "results/held";
		while (<$h>) { $bytes += $1 if /^\S+\s+(\d+)/; $parts++ }
		my $most = 1.03 * ($told + 2 * 4096 * $parts);
		die "$told bytes in the plan, $bytes in $parts parts of the kernel\n" if !$told || $parts < 10 || $bytes < 0.97 * $told || $bytes > $most;
	' || fail "ktap plan: $(grep -A9 '# memory' plan.out)"
done
