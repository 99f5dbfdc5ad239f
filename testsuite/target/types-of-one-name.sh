#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files may have different types of one name. A cast in a probe of a function takes that of the function's file; one that has to take
# the first of several of the kernel warns.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

cat >first.c <<'END'
struct record { int a; long z; };
__attribute__((noipa)) long first(struct record *r) { return r->z; }
long second(void *);
int main(void) { struct record r = { 1, 2 }; return first(&r) + second(&r); }
END
cat >second.c <<'END'
struct record { char c[64]; long z; };
__attribute__((noipa)) long second(void *p) { struct record *r = p; return r->z; }
END
gcc -g -O1 first.c second.c -o program || fail "cannot compile"
# offset FUNCTION BYTES: of the member z
offset()
{
	ktap -p3 -e "probe process(\"./program\").function(\"$1\") { println(@cast(pointer_arg(1), \"struct record\")->z) }"
	accepted
	grep -q "deref_user(c, .* + $2), 8)" out || fail "z of $1's struct record is not at $2"
}
offset first 8
offset second 64

check()
{
	analyse 'probe begin { println(@cast(0, "struct irq_info", "kernel")->irq) }'
	accepted
	said "warning: [23] types of the kernel are called 'struct irq_info', and the first is taken"
	test "$(grep -c warning: err)" = 1 || fail "it warns twice"
	analyse 'probe kernel.function("serial_link_irq_chain") { println(@cast(0, "struct irq_info")->head) }
		probe kernel.function("xen_evtchn_nr_channels") ? { println(@cast(0, "struct irq_info")->eoi_cpu) }
		probe begin { println(@cast(0, "struct file", "kernel")->f_flags) }'
	accepted
	! grep warning: err || fail "it warns"
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe begin { println(@cast(0, "struct irq_info", "kernel")->irq) }'
	said "types of the kernel are called 'struct irq_info'"
}
on_each check
