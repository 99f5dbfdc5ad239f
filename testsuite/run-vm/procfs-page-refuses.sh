#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A page of a reader that is present and refuses each copy, as one of a shadow stack does: the read fails, and does not go on until a signal
# comes. This CPU has no shadow stacks, so that another session has the copies to one program fail.
. "$SRCDIR/testsuite/lib/process.sh"
limit=300

for release in $(kernels); do
	module file --debuginfo=btf -e '
probe procfs("x").read { $value = "text\n" }'
	module refuse --debuginfo=btf -g -e '
probe kernel.function("copy_to_user_nofault").return { if (execname() == "refused") $return = -14 }'
	in_guest_silent <<'END'
"$KTAPRUN" kt_file.ko >/tmp/kt-file 2>&1 & file=$!
"$KTAPRUN" kt_refuse.ko >/tmp/kt-refuse 2>&1 & refuse=$!
until_true in_state kt_file running && until_true in_state kt_refuse running
cp --remove-destination "$(command -v head)" /tmp/refused
timeout -s KILL 20 /tmp/refused -c 5 /proc/systemtap/kt_file/x >/tmp/text 2>/tmp/message && echo "the copy succeeds: $(cat /tmp/text)"
grep -q 'Bad address' /tmp/message || echo "the read does not end: $(cat /tmp/message)"
[ "$(head -c 5 /proc/systemtap/kt_file/x)" = text ] || echo "another program does not read"
kill -INT $file $refuse
wait $file $refuse || cat /tmp/kt-*
END
	boot
	silent
done
