#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `make dist` packs builds from a source directory that cannot be written, in another place and another layout, and installs the
# same bytes as this build. Neither installation contains a path of its build. `make uninstall` leaves no file and no directory of ktap.
. "$SRCDIR/testsuite/lib/sh.sh"
log()
{
	"$@" >log 2>&1 || { tail -n 20 log; fail "$*"; }
}
# The version of a build is that of the commit it was configured at.
version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$BUILDDIR/config.h")
name=ktap-$version
exec 9>"$BUILDDIR/testsuite/dist.lock"
flock 9 # house/distcheck makes that directory too
rm -rf "$BUILDDIR/${name:?}"
log make -C "$BUILDDIR" distdir
mkdir -p deep/er here there
mv "$BUILDDIR/$name" deep/source
exec 9>&-
test "$(cat deep/source/.version)" = "$version" || fail "the tarball has version $(cat deep/source/.version)"
chmod -R a-w deep/source
test -n "${KEEP:-}" || trap 'chmod -R u+w deep; rm -rf deep here there' EXIT
cd deep/er
log sh -c "../source/configure $("$BUILDDIR/config.status" --config)"
log make -s -j2 all
cd ../..
log make -s -C deep/er install "DESTDIR=$PWD/there"
log make -s -C "$BUILDDIR" install "DESTDIR=$PWD/here"
for path in "$BUILDDIR" "$(cd "$SRCDIR" && pwd -P)"; do
	grep -rlF "$path" here && fail "these contain $path"
done
grep -rlF "$PWD/deep" there && fail "these contain $PWD/deep"
diff -r here there || fail "two builds of one commit differ"
log make -s -C deep/er uninstall "DESTDIR=$PWD/there"
left=$(find there ! -type d -o -name ktap)
test -z "$left" || fail "make uninstall leaves $left"
