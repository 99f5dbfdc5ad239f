#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An image that is cut off or has a changed byte is refused, whatever the byte says: nothing of it runs.
. "$SRCDIR/testsuite/lib/sh.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
ktap -p4 --runtime=bpf -e 'global a probe begin { a["x"] <<< 1; println(@count(a["x"]), " ran"); exit() }'
accepted
cp "$(cat out)" good.bpf
"$BUILDDIR/ktaprun" good.bpf >out 2>err || fail "$(cat err)"
echo '1 ran' | cmp -s - out || fail "$(cat out)"
size=$(wc -c <good.bpf)
for part in 7 8 100 $((size / 2)) $((size - 1)); do
	head -c "$part" good.bpf >bad.bpf
	"$BUILDDIR/ktaprun" bad.bpf >out 2>err
	test $? = 1 || fail "$part bytes of it: exit status $?"
	grep -q ' error: ' err && test ! -s out || fail "$part bytes: $(cat err)"
done
# No more is opened than for a module: not a pipe, which nobody may ever write to.
mkfifo pipe
timeout 10 "$BUILDDIR/ktaprun" pipe >out 2>err
test $? = 1 && grep -q "cannot open module 'pipe': " err || fail "a pipe: $(cat out err)"
for seed in $(seq 60); do
	perl -e 'srand($ARGV[0]); local $/; open(F, "<:raw", "good.bpf"); $_ = <F>; my $at = 8 + int(rand(length($_) - 8));
		substr($_, $at, 1) ^= chr(1 + int(rand(255))); print' "$seed" >bad.bpf
	"$BUILDDIR/ktaprun" bad.bpf >out 2>err
	test $? = 1 && grep -q 'error: cannot read the image: it is ' err && test ! -s out || fail "a changed byte (seed $seed): $(cat out err)"
done
