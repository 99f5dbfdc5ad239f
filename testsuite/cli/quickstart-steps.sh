#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# While a step of quickstart takes long, a terminal shows the last line of its log; a pipe gets nothing, and a failure its end. The build
# is configured again when libraries have been installed since.
. "$SRCDIR/testsuite/lib/sh.sh"
command -v script >/dev/null || { echo "script(1) is not installed"; exit 77; }
mkdir scripts
cp "$SRCDIR/scripts/steps.sh" scripts/
cat >scripts/step <<'END'
set -eu
. "$(dirname "$0")/steps.sh"
quietly log sh -c "$1"
echo done
END
long='echo compiling; sleep 5'
script -qec "sh scripts/step '$long'" /dev/null </dev/null >out
grep -q '^.\[ *[0-9]* s\] compiling' out || fail "a terminal shows: $(cat -v out)"
sh scripts/step "$long" >out 2>err </dev/null
test "$(cat out)" = done || fail "a pipe gets: $(cat out)"
test ! -s err || fail "stderr gets: $(cat err)"
sh scripts/step 'echo broken; exit 3' >out 2>err </dev/null && fail "the step failed"
said broken
said 'failed: sh -c .* (all of its output: log)'

# build_ktap configures again when its arguments or the libraries have changed since, and not otherwise.
mkdir bin
cat >bin/pkg-config <<'END'
#!/bin/sh
# pkg-config --modversion NAME
grep -x "$2 .*" libraries | cut -d' ' -f2 | grep .
END
cat >configure <<'END'
#!/bin/sh
echo "configured $*" >>../configured
touch config.status
echo 'all:' >Makefile
END
chmod 755 bin/pkg-config configure
cp "$SRCDIR/configure.ac" .
touch configure
cat >scripts/build <<'END'
set -eu
. "$(dirname "$0")/steps.sh"
build_ktap "$@"
END
# configured ARGUMENT...: how often configure has run after another build with the arguments.
configured()
{
	PATH=$PWD/bin:$PATH KTAP_BUILD=$PWD/build sh scripts/build "$@" >out 2>err </dev/null || fail "the build failed"
	wc -l <configured
}
touch libraries
test "$(configured)" = 1 || fail "not configured at first"
test "$(configured)" = 1 || fail "configured again though nothing changed"
for library in libcrypto json-c ncursesw libedit python3 libbpf; do
	before=$(configured)
	echo "$library 1.0" >>libraries
	test "$(configured)" = $((before + 1)) || fail "not configured again when $library was installed"
done
sed -i 's/json-c 1.0/json-c 1.1/' libraries
test "$(configured)" = 8 || fail "not configured again when json-c was another"
test "$(configured --enable-werror)" = 9 || fail "not configured again with other arguments"
test "$(configured --enable-werror)" = 9 || fail "configured again though nothing changed"
