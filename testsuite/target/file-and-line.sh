#!/bin/sh
# A file or a declaration line chooses among functions of one name.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("vfs_read@fs/read_write.c") { }'
	accepted
	point=$(sed -n 's/^\(kernel.function("[^"]*")\).*/\1/p' out)
	# What is printed can be pasted.
	analyse "probe $point { }"
	accepted
	printed "^kernel.function(\"vfs_read@fs/read_write.c:[0-9]*\")"
	analyse 'probe kernel.function("vfs_read@read_write.c:1") { }'
	refused no-match
	said 'vfs_read@fs/read_write.c:[0-9]* is there as a function'
}
on_each check
