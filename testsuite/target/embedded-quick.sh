#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module with embedded C is built without Kbuild, also where it calls functions of the kernel that the kit does not: their versions are
# those that modpost finds. Kbuild builds what only modpost can: symbols that the module exports, its parameters, symbols of a namespace.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# One kernel is enough: what make does is the same.
R=$(debug_kernels | head -n 1)
test -e "/lib/modules/$R/build" || exit 77
limit=300 ktap -r "$R" -p4 -e 'probe never { }'
accepted
# Of this run alone: the cache has modules of earlier ones.
once="$$-$(date +%s)"
mkdir -p bin
mv_dump() { modprobe --dump-modversions "$1" | sort -k 2; }
printf '#!/bin/sh\ntouch "%s/made"\nexit 1\n' "$PWD" >bin/make
chmod +x bin/make
PATH=$PWD/bin:$PATH

# build TEXT: with TEXT in the function's C.
options=
build()
{
	rm -f made
	# shellcheck disable=SC2086
	ktap -r "$R" $options -g -p4 -e "%{
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/random.h>
%}
function f:long() %{ /* $once */
	if (!current->mm)
		STAP_ERROR(\"%s has no memory\", current->comm);
	$1
	STAP_RETVALUE = 1;
%}
probe begin { println(f()) }"
}
build ''
accepted
test ! -e made || fail "Kbuild runs, and nothing needs it"
calls='dump_stack(); STAP_RETVALUE = get_random_u32() + nr_cpu_ids + (filp_open("/", 0, 0) != NULL); msleep(1);'
build "$calls"
accepted
test ! -e made || fail "Kbuild runs for functions of the kernel"
mv_dump "$(cat out)" >quick
build 'STAP_RETVALUE = kallsyms_lookup_name("x");'
refused build
said "embedded C: kernel $R does not export 'kallsyms_lookup_name' to modules"
test ! -e made || fail "Kbuild runs for what the kernel does not export"
for text in '} static int p; MODULE_PARM_DESC(p, "a parameter"); void g(void); void g(void) {' \
	'} void h(void); void h(void) { } EXPORT_SYMBOL(h); void i(void); void i(void) {'; do
	build "$text"
	test -e made || fail "no Kbuild for: $text"
done
# modpost, another program, finds the same versions.
rm bin/make
options=--kbuild
limit=300 build "$calls /* by modpost */"
accepted
mv_dump "$(cat out)" >modpost
test "$(wc -l <quick)" -gt 20 || fail "no versions"
for symbol in dump_stack get_random_u32 nr_cpu_ids filp_open msleep; do
	grep -q "[[:space:]]$symbol\$" quick || fail "no version of $symbol"
done
diff modpost quick || fail "versions that modpost has otherwise"
