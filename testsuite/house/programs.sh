#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The packages that scripts/install-deps installs have every program that the tests call. The programs are looked up in a root
# that mmdebstrap makes of Debian's essential packages, apt and that list, so what else this machine has does not count.
#
# Making the root takes a minute or two. Only the list of its programs is kept, in the user's cache, under a hash of the
# packages.
. "$SRCDIR/testsuite/lib/sh.sh"

# The kernels' packages bring no programs, and a gigabyte.
packages=$(sh "$SRCDIR/scripts/install-deps" check --list | grep -v '^linux-') || fail "install-deps --list"
for package in gcc mmdebstrap dosfstools; do
	echo "$packages" | grep -qx "$package" || fail "install-deps check does not list $package"
done
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
key=$(echo "$suite 1 $packages" | sha256sum | cut -c1-32)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ktap-tests
list=$cache/programs-$key

if ! test -s "$list"; then
	mkdir -p "$cache" || fail "cannot make $cache"
	proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy)
	# Documentation and headers are left out: they are half of the files.
	mmdebstrap --variant=apt --include="$(echo "$packages" | tr '\n' ,)" --format=null \
		${proxy:+"--aptopt=Acquire::http::Proxy \"$proxy\""} --dpkgopt=force-unsafe-io \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/include/*' \
		--customize-hook='cd "$1" && ls -d usr/bin/* usr/sbin/* usr/lib/qemu/* | sed s,^,/, >tmp/programs' \
		--customize-hook='copy-out /tmp/programs .' "$suite" - >log 2>&1 || {
		if grep -qE 'Could not resolve|Could not connect|Unable to connect|Temporary failure|newuidmap|unshare' log; then
			echo "mmdebstrap cannot make a root here: $(grep -m 1 -E 'Could not|Unable to|Temporary|newuidmap|unshare' log)"
			exit 77
		fi
		tail -n 20 log
		fail "mmdebstrap"
	}
	test "$(wc -l <programs)" -gt 300 || fail "the root has $(wc -l <programs) programs"
	mv programs "$list.$$" && mv "$list.$$" "$list" || fail "cannot write $list"
fi

"$SRCDIR/testsuite/lib/programs" "$SRCDIR" "$list" >missing || {
	cat missing
	fail "no package of scripts/install-deps has these programs (or testsuite/lib/programs takes a word for one)"
}

# Proof that the look-up sees the calls: with a program taken away, each of these is reported.
lacks()
{
	grep -v "/$1\$" "$list" >without
	"$SRCDIR/testsuite/lib/programs" "$SRCDIR" without >out && fail "nobody misses $1"
	shift
	for place; do
		grep -q "^$place" out || fail "'$place' is not found"
	done
}
lacks mkfs.vfat testsuite/run-vm/alias-truth.sh: testsuite/run-vm/alias-file-systems.stp:3:
lacks unshare testsuite/run-vm/process-files.sh:
lacks ip testsuite/run-vm/everything.sh: testsuite/run-vm/alias-counters.stp:3:
lacks make translator/debuginfo/object.c: testsuite/lib/truth.sh:
lacks ctags scripts/lint:
lacks bpftool testsuite/lib/ground-truth: testsuite/target/parameters-agree-with-bpftool.sh:
