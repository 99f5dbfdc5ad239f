#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# With the packages of scripts/quickstart alone, configure leaves out no part of ktap, and the programs are there that README.md and
# docs/ call. Both are looked up in a root that mmdebstrap makes of Debian's essential packages, apt and that list.
#
# The root takes a minute. Its answers are kept in the user's cache, under a hash of the packages and of configure.
. "$SRCDIR/testsuite/lib/sh.sh"

# Kernels and QEMU bring no library, and a gigabyte.
packages=$(sh "$SRCDIR/scripts/install-deps" quickstart --list | grep -v '^linux-\|^qemu-\|^virtiofsd$') || fail "install-deps --list"
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
key=$(echo "$suite 1 $packages" | cat - "$SRCDIR/configure" | sha256sum | cut -c1-32)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ktap-tests
answers=$cache/quickstart-$key

if ! test -s "$answers"; then
	mkdir -p "$cache" || fail "cannot make $cache"
	proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy)
	mkdir -p src/cli
	cp -r "$SRCDIR/configure" "$SRCDIR/build-aux" src/
	cp "$SRCDIR/cli/options.h" src/cli/
	# After the second time, the answers are those without one of the libraries.
	cat >src/ask <<'END'
set -e
cd /src
echo @programs
ls -d /usr/bin/* /usr/sbin/* /sbin/*
echo @all
./configure --no-create >/dev/null
grep '^HAVE_[A-Z_]*_TRUE=' config.log
dpkg --purge --force-depends libjson-c-dev >/dev/null
echo @less
./configure --no-create >/dev/null
grep '^HAVE_[A-Z_]*_TRUE=' config.log
END
	# shellcheck disable=SC2016
	mmdebstrap --variant=apt --include="$(echo "$packages" | tr '\n' ,)" --format=null \
		${proxy:+"--aptopt=Acquire::http::Proxy \"$proxy\""} --dpkgopt=force-unsafe-io \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		--customize-hook='copy-in src /' --customize-hook='chroot "$1" sh /src/ask >"$1/tmp/answers"' \
		--customize-hook='copy-out /tmp/answers .' "$suite" - >log 2>&1 || {
		if grep -qE 'Could not resolve|Could not connect|Unable to connect|Temporary failure|newuidmap|unshare' log; then
			echo "mmdebstrap cannot make a root here: $(grep -m 1 -E 'Could not|Unable to|Temporary|newuidmap|unshare' log)"
			exit 77
		fi
		tail -n 20 log
		fail "mmdebstrap"
	}
	mv answers "$answers.$$" && mv "$answers.$$" "$answers" || fail "cannot write $answers"
fi

# left_out SECTION: the parts that configure leaves out, but for the tests in Go and what libbpf of this release cannot do.
left_out()
{
	sed -n "/^@$1\$/,/^@/s/^HAVE_\([A-Z_]*\)_TRUE='#'\$/\1/p" "$answers" | grep -vx 'GO\|BTF_RELOCATE'
}
test "$(sed -n '/^@all$/,/^@/p' "$answers" | wc -l)" -gt 6 || fail "configure answers little: $(cat "$answers")"
test -z "$(left_out all)" || fail "with the packages of quickstart, configure leaves out: $(left_out all)"
test "$(left_out less)" = JSON || fail "without libjson-c-dev, configure leaves out: $(left_out less)"

sed -n '/^@programs$/,/^@all$/p' "$answers" | grep / >programs
cat >called.pl <<'END'
use strict;
use warnings;
use Docs;
use Shell;
my %called;
for my $session (grep { defined $_->{command} } Docs::sessions([], @ARGV)) {
    $called{$_} = 1 for grep { defined } map { $_->{name} } Shell::commands($session->{command});
}
delete @called{qw(ktap :)};
print map { "$_\n" } sort grep { !m{^\./} } keys %called;
END
perl -I "$SRCDIR/testsuite/lib" called.pl "$SRCDIR/README.md" "$SRCDIR"/docs/*.md >called || fail "the pages cannot be read"
for program in jq gcc openssl losetup perl; do
	grep -qx "$program" called || fail "no page calls $program: $(cat called)"
done
# man is called in sentences.
for program in man $(cat called); do
	grep -q "^$program\$\|/$program\$" programs || fail "README.md or docs/ calls $program, which no package of quickstart has"
done
