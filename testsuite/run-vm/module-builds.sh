#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module that was rebuilt and not reloaded. A session that was compiled with the new file refuses the old module, whether it is loaded before the
# session or during it, and says both build-ids. When the new file is loaded in its place, the probes fire and read what the module prints.
. "$SRCDIR/testsuite/lib/process.sh"

# ring R NAME [FLAG]: the module in ./NAME.
ring()
{
	mkdir "$2"
	cp "$SRCDIR"/testsuite/lib/builds/* "$2"
	make -s -C "/lib/modules/$1/build" "M=$PWD/$2" "RING_FLAGS=${3:-}" modules >"$2/log" 2>&1 || fail "cannot build: $(cat "$2/log")"
}

# build_id FILE
build_id()
{
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

for release in $(kernels); do
	rm -rf new old none
	ring "$release" new -DRING_NEW
	ring "$release" old
	mkdir none
	objcopy -R .note.gnu.build-id new/ktap_ring.ko none/ktap_ring.ko
	ko=$PWD/new/ktap_ring.ko new=$(build_id new/ktap_ring.ko) old=$(build_id old/ktap_ring.ko)
	test -n "$new" && test -n "$old" && test "$new" != "$old" || fail "the two builds have build-ids '$new' and '$old'"

	module probe -e "probe module(\"$ko\").function(\"ring_put\") { println(\"magic \", \$r->magic, \" value \", \$value) }
		probe end { println(\"end\") }"
	module variable -e "probe timer.ms(50) { try { println(\"head \", @var(\"ring\", \"$ko\")->head) exit() } catch (m) { println(m) exit() } }"
	module late -e "probe timer.ms(50) { try { println(@var(\"ring\", \"$ko\")->head) } catch (m) { if (isinstr(m, \"another build\")) exit() } }
		probe end { println(\"end\") }"
	module first -e "probe module(\"$ko\").function(\"ring_first\") { println(\"first \", \$value) }
		probe module(\"$ko\").function(\"ring_put\") { println(\"put\") }"
	module lines -e "probe module(\"$ko\").function(\"ring_put\") { println(\"line \", symline(addr()), \" \", symfileline(addr())) exit() }"
	module object -d "$ko" -e 'probe kprobe.module("ktap_ring").function("ring_put") { println("line ", symline(addr()), " ", symfileline(addr())) exit() }'
	module cast -e "probe error { println(\"over \", pp()) }
		probe timer.s(200) { println(@cast(gettimeofday_ns(), \"struct ring\", \"$ko\")->magic) }"
	# A module of another build-id, and what ktap says of a file that has none.
	ktap -p4 -r "$release" -e "probe module(\"$PWD/none/ktap_ring.ko\").function(\"ring_put\") { println(\$r->magic) }"
	accepted
	said "warning: module '.*none/ktap_ring.ko' has no build-id.* \[stale-debuginfo\]"

	in_guest_silent <<'END'
. ./ids
# begin NAME: the session, in the background, when its probes are armed.
begin() {
	"$KTAPRUN" kt_$1.ko >/tmp/out 2>/tmp/err & session=$!
	until in_state kt_$1 running; do sleep 0.1; kill -0 $session 2>/dev/null || { echo "$1 did not start"; cat /tmp/err; return 1; }; done
}
# finish STATUS: the session ends with the status.
finish() { status=0; wait $session || status=$?; [ $status = $1 ] || { echo "status $status"; cat /tmp/err; }; }
# has FILE TEXT...
has() { file=$1; shift; for text; do grep -q "$text" $file || { echo "$when: no '$text' in:"; cat $file; }; done; }
go=/sys/module/ktap_ring/parameters/go

when='loaded before'
insmod old/ktap_ring.ko
for session in probe variable; do
	! "$KTAPRUN" kt_$session.ko >/tmp/out 2>/tmp/err || echo "$when: accepted"
	[ ! -s /tmp/out ] || { echo "$when: it ran"; cat /tmp/out; }
	has /tmp/err "error: the module 'ktap_ring' that is loaded is another build" "$old" "$new" 'rmmod ktap_ring'
done
rmmod ktap_ring

when='loaded later'
begin probe
insmod old/ktap_ring.ko && echo 3 >$go && rmmod ktap_ring
has /tmp/err "the module 'ktap_ring' that was loaded now is another build" "$old" "$new" 'probes in it do not fire'
insmod new/ktap_ring.ko && echo 4 >$go && rmmod ktap_ring
kill -INT $session
finish 0
truth=$(dmesg | sed -n 's/.*ring: put 4 \(magic [0-9]*\) .*/\1 value 4/p' | tail -n 1)
printf '%s\nend\n' "$truth" | cmp -s - /tmp/out || { echo "$when: printed, and expected '$truth':"; cat /tmp/out; }

begin late
insmod old/ktap_ring.ko
finish 0
rmmod ktap_ring
has /tmp/err 'its variables cannot be read'
echo end | cmp -s - /tmp/out || { echo "$when, a variable:"; cat /tmp/out; }

when='types of a module that comes later'
begin cast
insmod old/ktap_ring.ko && rmmod ktap_ring
finish 1
has /tmp/err "another build" "$old" "$new" 'the session ends'
has /tmp/out '^over error'

when='a variable'
insmod new/ktap_ring.ko && echo 9 >$go
"$KTAPRUN" kt_variable.ko >/tmp/out 2>/tmp/err || cat /tmp/err
dmesg | sed -n 's/.*ring: put \(9\) .*/head \1/p' | tail -n 1 | cmp -s - /tmp/out || { echo "$when:"; cat /tmp/out; }

when='source lines'
for session in lines object; do
	begin $session
	echo 1 >$go
	finish 0
	line=$(dmesg | sed -n 's/.*ring: put .* \(line [0-9]*\)$/\1/p' | tail -n 1)
	grep -q "^$line .*ktap_ring.c:${line#line }" /tmp/out || { echo "$when, $session: no '$line' in:"; cat /tmp/out /tmp/err; }
done

when='an init function that is over'
begin first
has /tmp/err 'not probed until the module is loaded again: 1 place .*first module(.*ring_first'
! grep 'waits' /tmp/err || echo "$when: it waits for more"
echo 1 >$go && rmmod ktap_ring && insmod new/ktap_ring.ko && rmmod ktap_ring
kill -INT $session
finish 0
printf 'put\nfirst 7\n' | cmp -s - /tmp/out || { echo "$when:"; cat /tmp/out; }
true
END
	printf 'new=%s old=%s\n' "$new" "$old" >ids
	boot
	silent
done
