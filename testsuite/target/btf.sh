#!/bin/sh
# Without DWARF, BTF gives functions, parameters, structures and return values, and says what it cannot.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	ktap -r "$R" --debuginfo=btf -p2 -v -e 'probe kernel.function("vfs_read") {
		println($file->f_path->dentry->d_name->name, $count) }
		probe kernel.function("vfs_read").return { println($return) }'
	accepted
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("vfs_read@fs/read_write.c") { }'
	refused no-debuginfo
	said "apt-get install linux-image-$R-dbg"
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("vfs_read").inline { }'
	refused no-debuginfo
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("vfs_read") { println($ret) }'
	refused target-var
	said "apt-get install linux-image-$R-dbg"
}
on_each check
