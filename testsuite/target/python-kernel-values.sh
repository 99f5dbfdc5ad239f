#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Types and variables without a module are the kernel's in probes of Python: nobody means those of the interpreter's extension.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

ls "$BUILDDIR"/python/HelperSDT/_ktap*.so >/dev/null 2>&1 ||
	{ echo "ktap was built without python3-dev or systemtap-sdt-dev"; exit 77; }

check()
{
	for return in '' .return; do
		analyse "probe python3.module(\"m\").function(\"f\")$return {
			println(@var(\"jiffies\") + @var(\"init_task\")->pid + @cast(task_current(), \"task_struct\")->pid)
			if (!@defined(@var(\"jiffies\")) || @defined(@var(\"nosuch_jiffies\")))
				println(@var(\"nosuch_jiffies\"))
		}"
		accepted
		analyse "probe python3.module(\"m\").function(\"f\")$return { println(@var(\"nosuch_jiffies\")) }"
		refused target-var
		said "no variable 'nosuch_jiffies' in the kernel"
		analyse "probe python3.module(\"m\").function(\"f\")$return { println(@cast(1, \"nosuch\")->x) }"
		refused target-type
		said "in the debugging information of the kernel"
	done
}
on_each check
