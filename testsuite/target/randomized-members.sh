#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# gcc's plugin of CONFIG_RANDSTRUCT leaves the order of the source in DWARF: the compiler says where members are. A header with the members
# of struct path in another order stands for the plugin here. Where no header has a structure, its members are refused.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
tree=$(readlink -f "/lib/modules/$release/build")
mkdir tree cache
chmod 700 cache
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR
cp -rs "$tree"/. tree/
rm tree/Makefile tree/.config
{
	echo "export KCFLAGS := -include $PWD/path.h"
	sed "s|=$tree\$|=$PWD/tree|" "$tree/Makefile"
} >tree/Makefile
{
	cat "$tree/.config"
	echo CONFIG_GCC_PLUGIN_RANDSTRUCT=y
} >tree/.config
cat >path.h <<'END'
#ifndef _LINUX_PATH_H
#define _LINUX_PATH_H
struct path {
	struct dentry *dentry;
	struct vfsmount *mnt;
};
void path_get(const struct path *);
void path_put(const struct path *);
static inline int path_equal(const struct path *a, const struct path *b)
{
	return a->mnt == b->mnt && a->dentry == b->dentry;
}
static inline void path_put_init(struct path *path) { path_put(path); }
#endif
END
# offset TREE: bytes from the address in $path to dentry and to mnt, as the C of the script has them.
offsets()
{
	ktap -p3 -r "$1" -e 'probe kernel.function("vfs_getattr") { printf("%d %d\n", $path->dentry, $path->mnt) }'
	accepted
	sed -n 's/.*kt_deref(c, (kt_u64)(t[0-9]* + \([0-9]*\)), 8).*/\1/p; s/.*kt_deref(c, (kt_u64)t[0-9]*, 8).*/0/p' out | head -n 2 | tr '\n' ' '
}
[ "$(offsets "$release")" = '8 0 ' ] || fail "without the option: $(offsets "$release")"
[ "$(offsets "$PWD/tree")" = '0 8 ' ] || fail "with it: $(offsets "$PWD/tree")"
ktap -p3 -r "$PWD/tree" -e 'probe kernel.function("set_nameidata") { println($p->depth) }'
refused no-debuginfo
said "where 'struct nameidata' has it is not known: it is declared in no header"
said 'CONFIG_RANDSTRUCT'
ktap -p3 -r "$PWD/tree" -e 'probe kernel.function("vfs_getattr") { println($path$) }'
accepted
