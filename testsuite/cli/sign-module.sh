#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --sign-module signs what -p4 leaves and what the cache keeps, apart from unsigned modules; the private key is nowhere in the
# cache; what cannot sign is refused before the build.
. "$SRCDIR/testsuite/lib/sh.sh"

set -- /lib/modules/*/build/scripts/sign-file
[ -x "$1" ] || { echo "no kernel's build tree is installed"; exit 77; }
release=${1#/lib/modules/}
release=${release%%/*}
cache=${KTAP_CACHE_DIR:-$HOME/.cache/ktap}
for name in one other; do
	openssl req -new -x509 -newkey rsa:2048 -sha256 -days 100 -noenc -subj "/CN=$name/" -keyout $name.pem -out $name.crt \
		2>err || fail "no key"
done
script="probe begin { println(\"$$ $(date +%s)\") }" # which no cache has
signed() { tail -n 1 "$1" | grep -a -q '~Module signature appended~'; }

ktap -p4 -r "$release" -e "$script" --sign-module=one.pem,one.crt
accepted
first=$(cat out)
signed "$first" || fail "the module in the cache has no signature"
ktap -p4 -r "$release" -e "$script"
accepted
! signed "$(cat out)" || fail "a signed module was taken from the cache"
ktap -p4 -r "$release" -e "$script" --sign-module=other.pem,other.crt
accepted
signed "$(cat out)" || fail "another certificate: no signature"
[ "$(cat out)" != "$first" ] || fail "another certificate: the same module"
ktap -v -p4 -r "$release" -e "$script" --sign-module=one.pem,one.crt
accepted
[ "$(cat out)" = "$first" ] || fail "the same certificate: another module"
said 'is from the cache'
ktap -p4 -r "$release" -m kt_named -e "$script" --sign-module=one.pem,one.crt
accepted
signed kt_named.ko || fail "kt_named.ko has no signature"
[ "$(grep -a -c '~Module signature appended~' kt_named.ko)" = 1 ] || fail "kt_named.ko has several signatures"
! grep -r -q -a -F "$(sed -n 5p one.pem)" "$cache" || fail "the private key is in the cache"

ktap -p4 -r "$release" -e "$script" --sign-module=nosuch.pem,one.crt
refused sign
said "cannot read the private key 'nosuch.pem'"
ktap -p4 -r "$release" -e "$script" --sign-module=one.pem,nosuch.crt
refused sign
ktap -p4 -r "$release" -m kt_wrong -e "$script" --sign-module=other.pem,one.crt
refused sign
[ ! -e kt_wrong.ko ] || fail "a module without its signature was left"
ktap --runtime=user -e "$script" --sign-module=one.pem,one.crt
refused usage
exit 0
