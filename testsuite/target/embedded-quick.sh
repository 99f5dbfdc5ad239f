#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module with embedded C is built without Kbuild where the kit knows the symbol versions of all that it calls. Kbuild builds the others:
# functions that the kit does not call, symbols that the module exports, its parameters.
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
printf '#!/bin/sh\ntouch "%s/made"\nexit 1\n' "$PWD" >bin/make
chmod +x bin/make
PATH=$PWD/bin:$PATH

# build TEXT: with TEXT in the function's C.
build()
{
	rm -f made
	ktap -r "$R" -g -p4 -e "%{
#include <linux/delay.h>
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
for text in 'dump_stack();' '} static int p; MODULE_PARM_DESC(p, "a parameter"); void g(void); void g(void) {' \
	'} void h(void); void h(void) { } EXPORT_SYMBOL(h); void i(void); void i(void) {'; do
	build "$text"
	test -e made || fail "no Kbuild for: $text"
done
