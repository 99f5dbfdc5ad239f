#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Modules: by name, by file and by wildcard; what is said when one is unknown, built in, or of another build.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	loop=/usr/lib/debug/lib/modules/$R/kernel/drivers/block/loop.ko
	test -e "$loop" || return 0
	ktap -r "$R" -L 'module("loop").function("loop_add").call'
	printed '^module("loop").function("loop_add@drivers/block/loop.c:[0-9]*").call \$i:int'
	# By its file, which is what points then name; by BTF alone.
	cp "$loop" xloop.ko
	ktap -r "$R" -l "module(\"$PWD/xloop.ko\").function(\"loop_add\")"
	printed "^module(\"$PWD/xloop.ko\").function(\"loop_add@drivers/block/loop.c:[0-9]*\")\$"
	ktap -r "$R" --debuginfo=btf -L 'module("loop").function("loop_add")'
	printed '^module("loop").function("loop_add") \$i:int$'
	# Wildcards: the functions of one module are among those of all.
	ktap -r "$R" -l 'module("l*p").function("loop_add")'
	printed '^module("loop").function("loop_add@drivers/block/loop.c:[0-9]*")$'
	ktap -r "$R" -l 'module("virtio*").function("*probe")'
	printed '^module("virtio_[a-z_]*").function("virt[a-z_]*probe@drivers/'
	# - and _ are one.
	ktap -r "$R" -l 'module("virtio-rng").function("virtrng_probe")'
	printed '^module("virtio-rng").function("virtrng_probe@'
	# Rows: by the module's own symbols, with the place a statement of it.
	ktap -r "$R" -p2 -v -e 'probe module("loop").statement("loop_add@drivers/block/loop.c:+4").nearest { println($i) }'
	accepted
	printed 'loop:loop_add+[0-9]* drivers/block/loop.c:[0-9]*, kprobe'

	analyse 'probe module("looop").function("loop_add") { }'
	refused no-match
	said "did you mean 'loop'?"
	analyse 'probe module("/nonexistent/x.ko").function("f") { }'
	refused no-match
	analyse "probe module(\"$SRCDIR/configure.ac\").function(\"f\") { }"
	refused no-match
	said 'not an ELF file'
	analyse 'probe module("").function("f") { }'
	refused probe-arg
	analyse 'probe module("nosuch*").function("f") { }'
	refused no-match
	analyse 'probe module("loop").function("loop_ad") { }'
	refused no-match
	said "did you mean 'loop_add'?"
	analyse 'probe module("loop").statement("loop_add@drivers/block/loop.c:1") { }'
	refused no-match
	said 'nearest line'
	analyse 'probe module("loop").function("loop_add").call { println($nosuch) }'
	refused target-var
	# Labels.
	ktap -r "$R" -L 'kernel.function("vfs_iocb_iter_read").label("o?t")'
	printed '^kernel.function("vfs_iocb_iter_read@fs/read_write.c:[0-9]*").label("out") .*\$iocb:struct kiocb\*'
	# What is listed has the label's line, and can be pasted.
	ktap -r "$R" -l 'kernel.function("vfs_iocb_iter_read").label("out")'
	point=$(cat out)
	ktap -r "$R" -p2 -v -e "probe $point { }"
	accepted
	line=$(expr "$point" : '.*read_write.c:\([0-9]*\)')
	printed "^  # at .* fs/read_write.c:$line,"
	analyse 'probe kernel.function("vfs_read").label("nosuch") { }'
	refused no-match
	said 'no label that has code'
	analyse 'probe kernel.function("vfs_iocb_iter_read").label("nosuch") { }'
	refused no-match
	said "vfs_iocb_iter_read has 'out' at line"
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("vfs_read").label("out") { }'
	refused no-debuginfo
	# Tracepoints: in the kernel's name, in the module's, and none.
	ktap -r "$R" -L 'kernel.trace("sunrpc:rpc_task_begin")'
	printed '^kernel.trace("[a-z:]*rpc_task_begin") \$task:struct rpc_task const\* \$action:void const\*$'
	ktap -r "$R" -L 'module("sunrpc").tracepoint("rpc_task_begin")'
	printed '^module("sunrpc").tracepoint("rpc_task_begin") \$arg1:struct rpc_task const\*'
	analyse 'probe module("sunrpc").trace("rpc_task_begn") { }'
	refused no-match
	said "did you mean '.*rpc_task_begin'?"
	# Optional points pass.
	ktap -r "$R" -p2 -e 'probe module("nosuch").function("f")? { } probe never { }'
	accepted
	# What is built in.
	builtin=$(sed -n 's|.*/\(.*\)\.ko|\1|p' "/lib/modules/$R/modules.builtin" 2>/dev/null | head -n 1)
	test -z "$builtin" || {
		analyse "probe module(\"$builtin\").function(\"f\") { }"
		refused no-match
		said 'built into the kernel'
	}
}
on_each check

# The DWARF of another build than the module: refused with both build-ids. objcopy writes the link that leads to it.
set -- $(debug_kernels)
R=$1
a=/usr/lib/debug/lib/modules/$R/kernel/drivers/block/loop.ko
test -e "$a" && command -v objcopy >/dev/null || exit 0
mkdir -p stale
b=/usr/lib/debug/lib/modules/$R/kernel/drivers/block/brd.ko
test -e "$b" || b=/usr/lib/debug/lib/modules/$R/kernel/drivers/block/virtio_blk.ko
cp "$b" stale/loop.debug
objcopy --strip-debug "$a" stale/loop.ko
(cd stale && objcopy --add-gnu-debuglink=loop.debug loop.ko)
id() { readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p'; }
ktap -r "$R" -p2 -e "probe module(\"$PWD/stale/loop.ko\").function(\"loop_add\") { }"
case $(id "$a") in
'') ;;
*)	refused stale-debuginfo
	said "$(id "$a")"
	said "$(id "$b")" ;;
esac
# The right one is found through the link.
cp "$a" stale/loop.debug
(cd stale && objcopy --remove-section=.gnu_debuglink --remove-section=.BTF loop.ko && objcopy --add-gnu-debuglink=loop.debug loop.ko)
ktap -r "$R" -l "module(\"$PWD/stale/loop.ko\").function(\"loop_add\")"
printed 'loop_add@drivers/block/loop.c:'
# Packed sections are unpacked before they are relocated.
objcopy --compress-debug-sections "$a" stale/packed.ko
ktap -r "$R" -L "module(\"$PWD/stale/packed.ko\").statement(\"loop_add@drivers/block/loop.c:+4\").nearest"
sed 's/".*packed.ko"/"loop"/' out >packed
ktap -r "$R" -L 'module("loop").statement("loop_add@drivers/block/loop.c:+4").nearest'
cmp out packed || fail "packed sections read differently"
