#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# On a terminal ktap says what it waits for: a line that is overwritten, on standard error alone. Not in a pipe, not with -q.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
command -v script >/dev/null || { echo "script(1) is not installed"; exit 77; }
for R in $(debug_kernels); do break; done
mkdir bin
printf '#!/bin/sh\nsleep 3\nexit 1\n' >bin/make
chmod +x bin/make
KTAP_CACHE_DIR=$PWD/cache PATH=$PWD/bin:$PATH TERM=xterm
export KTAP_CACHE_DIR PATH TERM
escape=$(printf '\033')
line="ktap: building the kit for $R (once, 3 to 30 s)"

# on_terminal OPTIONS: what a terminal shows in `shown`, standard output in `out`.
on_terminal()
{
	script -qec "'$KTAP' $* -r $R -p4 -e 'probe begin { exit() }' >out" /dev/null >shown </dev/null || :
	test ! -s out || fail "standard output has something"
	grep -q 'Kbuild does not work' shown || fail "the build did not fail as expected: $(cat shown)"
}

on_terminal --color=never
grep -q "$line: [1-9] s$escape\[K" shown || fail "nothing says that the kit is built: $(cat -v shown)"
grep -q "$escape\[Kktap: error:" shown || fail "the line stays before the error: $(cat -v shown)"
on_terminal -q
! grep -q 'building' shown || fail "a status line with -q"
TERM=dumb
on_terminal --color=never
test "$(grep -c "^$line.\$" shown)" = 1 || fail "expected one line on a dumb terminal: $(cat -v shown)"
! grep -q "$escape" shown || fail "an escape sequence on a dumb terminal"
ktap -r "$R" -p4 -e 'probe begin { exit() }'
refused build
! grep -q 'building' err || fail "a status line in a pipe"
