#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Headers of @cast that never end: a device and a FIFO are refused; while the compiler waits in one that includes a FIFO, whatever ends ktap
# or the language server ends the compiler, and a signal that can be caught leaves no directory in the cache.
. "$SRCDIR/testsuite/lib/sh.sh"
limit=60
mkfifo fifo
printf '#include "%s/fifo"\nstruct s { int a; };\n' "$PWD" >waits.h
for header in /dev/zero "$PWD/fifo" ../../dev/zero linux; do
	ktap -p2 -e "probe begin { println(@cast(0, \"s\", \"<$header>\")->a) }"
	refused no-debuginfo
	said "the header <$header> is not a regular file"
done
printf 'struct s { int a; };\n' >regular.h
ktap -p2 -e "probe begin { println(@cast(0, \"s\", \"<$PWD/regular.h>\")->a) }"
accepted
# A user's own bound holds for the compiler.
printf '#include "/dev/zero"\n' >reads.h
ktap -p2 --rlimit-cpu=3 -e "probe begin { println(@cast(0, \"s\", \"<$PWD/reads.h>\")->a) }"
refused no-debuginfo

# The processes that have the cache directory in their environment, but for this shell and what it starts itself.
export KTAP_CACHE_DIR="$PWD/cache"
ours()
{
	for p in /proc/[0-9]*; do
		test "${p#/proc/}" != $$ && tr '\0' '\n' <"$p/environ" 2>/dev/null | grep -qx "KTAP_CACHE_DIR=$PWD/cache" &&
			echo "${p#/proc/} $(cat "$p/comm" 2>/dev/null)"
	done | grep -v ' \(header-endless.*\|sh\|grep\|tr\|cat\)$'
}
# until_compiling PID, until_none: wait; the FIFO has no writer, so the compiler stays.
until_compiling()
{
	for i in $(seq 300); do
		! ours | grep -q ' cc1$' || return 0
		kill -0 "$1" || fail "it ended before the compiler ran"
		sleep 0.1
	done
	fail "the compiler does not run: $(ours)"
}
until_none()
{
	for i in $(seq 100); do
		test -n "$(ours)" || return 0
		sleep 0.1
	done
	fail "after $1 these still run: $(ours)"
}
script="probe begin { println(@cast(0, \"s\", \"<$PWD/waits.h>\")->a) }"
for signal in TERM INT HUP KILL; do
	mkdir -m 700 cache
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$KTAP" -p2 -e "$script" >out 2>err </dev/null &
	until_compiling $!
	kill -$signal $!
	wait $! || :
	until_none "SIG$signal of ktap"
	test $signal = KILL || test -z "$(find cache -name 'header-*')" || fail "after SIG$signal the cache has $(find cache)"
	rm -rf cache
done

"$KTAP" --language-server </dev/null >out 2>err || :
! grep -q 'built without json-c' err || exit 0
cat >client.py <<'END'
import json, os, sys, subprocess
server = subprocess.Popen([os.environ["KTAP"], "--language-server"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
for method, params in (("initialize", dict(capabilities={}, rootUri=None)), ("textDocument/didOpen", dict(textDocument=dict(uri="file:///w.stp",
                       languageId="stp", version=1, text=sys.argv[1])))):
    body = json.dumps(dict(jsonrpc="2.0", method=method, params=params, **({"id": 1} if method == "initialize" else {}))).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()
print(server.pid, flush=True)
sys.stdin.read()
END
for signal in TERM KILL; do
	mkdir -m 700 cache
	mkfifo hold
	python3 client.py "$script" <hold >pid 2>err &
	exec 9>hold
	until_compiling $!
	kill -$signal "$(cat pid)"
	exec 9>&-
	wait $! || :
	until_none "SIG$signal of the server"
	test -z "$(find cache -name 'header-*')" || fail "after SIG$signal of the server the cache has $(find cache)"
	rm -rf cache hold
done
