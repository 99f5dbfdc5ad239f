#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: MODULE_SIG
# --sign-module makes signatures that the kernel checks and takes, when it is locked down and when it enforces them. Modules
# that are not signed, signed with another key, or changed after that are refused, and ktaprun says which of it stopped
# them. The guest's kernel trusts our key because a module puts the certificate among those that it was built with.
. "$SRCDIR/testsuite/lib/process.sh"

key()
{
	openssl req -new -x509 -newkey rsa:2048 -sha256 -days 100 -noenc -subj "/CN=$1/" -keyout "$1.pem" -outform DER \
		-out "$1.der" 2>openssl.log || fail "no key: $(cat openssl.log)"
}

key ours
key other
mkdir trust
echo 'obj-m := trust.o' >trust/Makefile
cat >trust/trust.c <<'END'
#include <linux/key.h>
#include <linux/module.h>
static const unsigned char cert[] = {
#include "cert.h"
};
static unsigned long keyring;
module_param(keyring, ulong, 0);
static int __init trust(void)
{
	key_ref_t key = key_create_or_update(make_key_ref(*(struct key **)keyring, true), "asymmetric", NULL, cert, sizeof(cert),
					     (KEY_POS_ALL & ~KEY_POS_SETATTR) | KEY_USR_VIEW,
					     KEY_ALLOC_NOT_IN_QUOTA | KEY_ALLOC_BUILT_IN | KEY_ALLOC_BYPASS_RESTRICTION);
	if (IS_ERR(key))
		return PTR_ERR(key);
	key_ref_put(key);
	return 0;
}
module_init(trust);
MODULE_LICENSE("GPL");
END
od -An -v -tu1 ours.der | sed 's/[0-9][0-9]*/&,/g' >trust/cert.h

for release in $(kernels); do
	# Linux 7.2 never ends where one make has both goals.
	for goal in clean modules; do
		make -C "/lib/modules/$release/build" M="$PWD/trust" CONFIG_DEBUG_INFO_BTF_MODULES= $goal >make.log 2>&1 ||
			fail "cannot build trust.ko: $(tail make.log)"
	done
	script='probe begin { println("runs") exit() }'
	module plain -e "$script"
	module signed --sign-module=ours.pem,ours.der -e "$script"
	module other --sign-module=other.pem,other.der -e "$script"
	cp kt_signed.ko kt_changed.ko
	printf 'x' | dd of=kt_changed.ko bs=1 seek=12 conv=notrunc 2>/dev/null
	module endless --sign-module=ours.pem,ours.der -e 'probe timer.s(100) { exit() }'
	in_guest_silent <<'END'
# try MODULE REGEX: what it prints has the text.
try() {
	"$KTAPRUN" kt_$1.ko >/tmp/try 2>&1
	grep -q "$2" /tmp/try || { echo "$when, $1: expected '$2', got: $(cat /tmp/try)"; }
}
insmod trust/trust.ko keyring=0x$(sed -n 's/ [A-Za-z] builtin_trusted_keys$//p' /proc/kallsyms) || echo "trust.ko: $?"
mountpoint -q /sys/kernel/security || mount -t securityfs none /sys/kernel/security
when='without enforcement'
try plain '^runs$'
try signed '^runs$'
when='locked down'
echo integrity >/sys/kernel/security/lockdown
try plain 'locked down (integrity), as with Secure Boot, .*this one is not signed'
try plain 'sign it with: ktap --sign-module=KEY,CERT'
try other 'locked down (integrity).*this one is signed with another key'
try signed '^runs$'
when='signatures enforced'
echo 1 >/sys/module/module/parameters/sig_enforce
try plain 'loads only signed modules (module.sig_enforce), and this one is not signed'
try other 'does not trust the key that it was signed with'
try other 'mokutil --import'
try changed 'or the file was changed after that'
try signed '^runs$'
"$KTAPRUN" kt_endless.ko >/tmp/endless 2>&1 & endless=$!
until [ "$(cat /sys/module/kt_endless/parameters/ktap_state 2>/dev/null)" = running ]; do
	sleep 0.1; kill -0 $endless || { cat /tmp/endless; exit 1; }
done
try endless 'a session of this name is running, and without its signature'
kill -INT $endless
wait $endless
when='modules disabled'
echo 1 >/proc/sys/kernel/modules_disabled
try signed 'kernel.modules_disabled is 1: no module can be loaded until the next boot'
true
END
	boot
	silent
done
exit 0
