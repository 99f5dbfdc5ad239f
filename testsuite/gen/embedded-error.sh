#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A mistake in embedded C is shown where it stands in the script: in a function, in a statement, at top level.
set -u
failed=0

# $1 is the line of the mistake in the script on stdin.
wrong_at()
{
	cat >wrong.stp
	"$KTAP" -g --runtime=user -p4 wrong.stp >out 2>err && { echo "compiled"; failed=1; }
	grep -q "wrong\.stp:$1:.*no_such_name" err || { echo "not at line $1:"; cat err; failed=1; }
}

wrong_at 2 <<'S'
function f:long(a:long) %{ STAP_RETVALUE =
	no_such_name; %}
probe begin { println(f(1)) exit() }
S
wrong_at 3 <<'S'
probe begin {
	println("before")
	%{ no_such_name = 1; %}
	exit()
}
S
wrong_at 3 <<'S'
# text
%{
static int x = no_such_name;
%}
probe begin { println(%{ x %}) exit() }
S
# Old embedded C reads its arguments from THIS.
echo 'function f:long(a:long) %{ THIS->__retvalue = THIS->a; %} probe begin { println(f(1)) exit() }' >this.stp
"$KTAP" -g --runtime=user -p4 this.stp >out 2>err && { echo "THIS compiled"; failed=1; }
grep -q 'note: write STAP_RETVALUE for the result, and STAP_ARG_NAME for each THIS->NAME' err || { cat err; failed=1; }
echo 'function f:long(abc:long) %{ STAP_RETVALUE = THIS->abc; %} probe begin { println(f(1)) exit() }' >this.stp
"$KTAP" -g --runtime=user -p4 this.stp >out 2>err && { echo "THIS compiled"; failed=1; }
grep -q 'note: write STAP_ARG_abc, and STAP_RETVALUE' err || { cat err; failed=1; }
exit $failed
