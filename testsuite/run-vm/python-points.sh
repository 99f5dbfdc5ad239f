#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is refused in points of Python, and what a session is told whose program nobody tells of.
. "$SRCDIR/testsuite/lib/process.sh"

ktap -p2 -e 'probe python2.module("m").function("f") { }'
refused no-program
said 'Python 2'
ktap -p2 -e 'probe python2.module("m").function("f")?, begin { }'
accepted
ktap -p2 -e 'probe python3.module("m").function("f")?, begin { }'
accepted
ktap -p2 -e 'probe python3.module("m").functions("f") { }'
refused probe-point

# Python's extension is of the machine that ktap was built for.
need_native
if ! ls "$BUILDDIR"/python/HelperSDT/_ktap*.so >/dev/null 2>&1; then
	ktap -p2 -e 'probe python3.module("m").function("f") { }'
	refused no-program
	said 'apt-get install python3-dev'
	echo "ktap was built without python3-dev or systemtap-sdt-dev"
	exit 77
fi
ktap -p2 -e 'probe python3.module("m").function("f@m.py:3") { }'
refused probe-arg
said 'python_line()'
ktap -p2 -e 'probe python3.module("m").function("f") { println($return) }'
refused target-var
ktap -p2 -e 'probe python3.module("m").function("f").return { println($return->x) }'
refused target-var
ktap -p2 -e 'probe python3.module("m").function("f") { println($$nosuch) }'
refused target-var
ktap -p2 -e 'probe python3.module("m").function("f") { println(@defined($x), @defined($return), @defined($x[0])) }'
accepted
# What is asked for decides which mark it is: nothing costs more than a name.
for want in '"call" hits++' '"call__variables" hits += strlen($x)' '"return__all" python_print_backtrace(); hits += $x == "1"' \
	'"call__backtrace" println(python_sprint_backtrace()) hits++' '"return__variables" println(python_result()); hits++'; do
	mark=$(echo "$want" | cut -d'"' -f2)
	variant=.call
	test "${mark#return}" = "$mark" || variant=.return
	ktap -p2 -v -e "global hits probe python3.module(\"m\").function(\"f\")$variant { ${want#* } }
		probe end { println(hits) }"
	accepted
	grep -q "mark ktap_python:$mark," out || fail "not the mark $mark"
done

release=$(kernels | cut -d' ' -f1)
# No command: nobody tells. It says how to start a program elsewhere.
ktap "--vm=$release" -e 'probe python3.module("program").function("*") { println("seen") } probe begin { exit() }'
accepted
said "warning: only programs that run under HelperSDT are probed"
said "PYTHONPATH=$BUILDDIR/python python3 -m HelperSDT"
# A path of the user's own stays the first one; what has a name with an underscore is not exported; without the package
# nothing is seen.
echo 'import os, sys
class _Hidden:
    def f(self): pass
def _g(): pass
def g(): pass
_Hidden().f(), _g(), g()
print(os.environ["PYTHONPATH"], file=sys.stderr)' >program.py
echo "/usr/bin/python3 program.py; PYTHONPATH=mine:\$PYTHONPATH /usr/bin/python3 -m HelperSDT program.py" >python.sh
ktap "--vm=$release" -c 'sh python.sh' -e 'probe python3.module("program").function("*").exported { println("seen ", python_function()) }'
accepted
said 'warning: the command does not name HelperSDT'
printf 'seen <module>\nseen g\n' | cmp -s - out || fail "not the exported ones"
said "^$BUILDDIR/python\$"
said "^mine:$BUILDDIR/python\$"
exit 0
