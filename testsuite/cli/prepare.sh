#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --prepare builds the kit for a kernel: root's is for all users, who take it only if nobody else can change it. The packages of a
# kernel run the hooks of packaging/kernel, which prepare its kit and remove it.
set -eu
. "$SRCDIR/testsuite/lib/sh.sh"
a_kernel
script='probe begin { println("prepared") }'
top=$(mktemp -d /tmp/ktap-prepare-XXXXXX)
trap 'rm -rf "$top"' EXIT
chmod 755 "$top"
KTAP_CACHE_DIR=$top/own
KTAP_SHARED_CACHE_DIR=$top/shared
export KTAP_CACHE_DIR KTAP_SHARED_CACHE_DIR
mkdir -m 700 "$KTAP_CACHE_DIR"
mkdir bin
printf '#!/bin/sh\necho made >>"%s/told"\nexit 1\n' "$PWD" >bin/make
printf '#!/bin/sh\necho "$*" >>"%s/told"\nexit 1\n' "$PWD" >bin/ktap
chmod +x bin/make bin/ktap

ktap --prepare "$R"
refused usage
ktap --prepare=9.9.9-none
refused no-kernel

# The hooks never stop the package.
mkdir -p "$top/shared/kit/9.9.9-none-0123456789abcdef" "$top/shared/kit/9.9.9-0123456789abcdef"
"$SRCDIR/packaging/kernel/remove" 9.9.9-none || fail "the hook failed"
test ! -e "$top/shared/kit/9.9.9-none-0123456789abcdef" || fail "the kit of a kernel that was removed is there"
test -e "$top/shared/kit/9.9.9-0123456789abcdef" || fail "the kit of another kernel was removed"
for release in '' / ../x; do
	"$SRCDIR/packaging/kernel/remove" "$release" || fail "the hook failed for '$release'"
done
PATH=$PWD/bin:$PATH "$SRCDIR/packaging/kernel/prepare" 9.9.9-none || fail "the hook failed"
test ! -e told || fail "a kit without headers: $(cat told)"
PATH=$PWD/bin:$PATH "$SRCDIR/packaging/kernel/prepare" "$R" || fail "the hook failed with ktap"
test "$(cat told)" = "-q --prepare=$R" || fail "ktap was called with: $(cat told)"
rm -r told "$top/shared"

test "$(id -u)" = 0 || { echo "only root prepares a kit for all users"; exit 0; }
mkdir -p "$top/shared/kit/$R-0123456789abcdef"
# The kernel's build tree is only read, and all questions to the kernel are asked at once.
cat >read-only <<'END'
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 77
shift
exec "$@"
END
tree=$(readlink -f "/lib/modules/$R/build")
status=0
(umask 077 && unshare -m sh read-only "$tree" "$KTAP" --prepare="$R" >out 2>err </dev/null) || status=$?
test "$status" != 77 || { echo "cannot mount"; exit 77; }
accepted
kit=$(cat out)
test -z "$(ls "$kit"/runtime/kit/kconf/*.o 2>/dev/null)" || fail "each question was asked alone"
test -e "$kit/ready" && test -e "$kit/stack" || fail "'$kit' is no kit"
test "${kit%/*}" = "$top/shared/kit" || fail "the kit is in '$kit'"
test ! -e "$top/shared/kit/$R-0123456789abcdef" || fail "an old kit was left"
test -z "$(find "$kit" ! -perm -g=r -o ! -perm -o=r -o -perm /022)" || fail "modes: $(ls -lR "$kit")"
# systemd sets the mode of /var/cache/ktap when a script starts as a service.
grep -qx "CacheDirectoryMode=0$(stat -c %a "$top/shared")" "$SRCDIR/packaging/ktap@.service.in" || fail "a service hides the kits of all users"

# uses WHOM COMMAND...: a script is built, without make.
uses()
{
	whom=$1
	shift
	status=0
	PATH=$PWD/bin:$PATH "$@" "$KTAP" -r "$R" -p4 -e "$script" >out 2>err </dev/null || status=$?
	accepted
	test ! -e told || fail "$whom built a kit"
}

uses root
test -z "$(ls "$top/own/kit")" || fail "root has another kit"
nobody=$(id -u nobody)
if setpriv --reuid="$nobody" --clear-groups test -x "$KTAP" -a -r "$SRCDIR/runtime"; then
	mkdir -m 700 "$top/nobody"
	chown nobody "$top/nobody"
	uses nobody env KTAP_CACHE_DIR="$top/nobody" setpriv --reuid="$nobody" --clear-groups
	test -z "$(ls "$top/nobody/kit")" || fail "nobody has another kit"
fi

# One that others can change is not taken, nor is any where the cache is chosen.
chmod o+w "$kit"
PATH=$PWD/bin:$PATH ktap -r "$R" -p4 -e "$script"
test "$status" = 1 && test -e told || fail "a kit that others can write was taken"
rm -r told "$top/own/kit"
chmod o-w "$kit"
unset KTAP_SHARED_CACHE_DIR
PATH=$PWD/bin:$PATH ktap -r "$R" -p4 -e "$script"
test "$status" = 1 && test -e told || fail "the kit of all users was taken beside KTAP_CACHE_DIR"
