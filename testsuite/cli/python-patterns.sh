#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a script asks of Python: the module carries each pattern, be it a part of another; '[' alone is a letter; what a Python
# probe cannot give is said in its own terms.
. "$SRCDIR/testsuite/lib/sh.sh"

ls "$BUILDDIR"/python/HelperSDT/_ktap*.so >/dev/null 2>&1 ||
	{ echo "ktap was built without python3-dev or systemtap-sdt-dev"; exit 77; }

ktap -p3 -e 'probe python3.module("mydata").function("f"), python3.module("data").function("f"),
	python3.module("data").function("f").return { println(1) }'
accepted
grep -qF '"ktap_python=" "mydata:f@*\ndata:f@*"' out || fail "not both patterns, each once: $(grep ktap_python out)"
for name in '[' 'a[b' '[!_]*' '[].]x' '[!]]x'; do
	ktap -p3 -e "probe python3.module(\"$name\").function(\"f\") { println(1) }"
	accepted
done
ktap -p2 -e 'probe python3.module("m").function("f").return { println(@entry($a)) }'
refused target-var
said 'Python have no @entry'
ktap -g -p2 -e 'probe python3.module("m").function("f") { $a = "x" }'
refused lvalue
said 'it is a copy'
! grep -q syscall err || fail "this is about no system call"
