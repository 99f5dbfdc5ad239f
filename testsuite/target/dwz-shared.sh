#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dwz -m moves what the files of a package have in common to one more file, named by a path beside them: functions, inlined ones of
# headers, types and variables are found as before; without that file only the symbols are left.
. "$SRCDIR/testsuite/lib/sh.sh"
command -v dwz >/dev/null || { echo "no dwz"; exit 77; }

cat >shared.h <<'END2'
struct leaf { int pad, val; struct leaf *next; long more[4]; unsigned small:3, big:29; };
enum fruit { APPLE = 3, PEAR = 77, PLUM = -5 };
extern int sink;
static inline __attribute__((always_inline)) int deep(struct leaf *l, int add)
{
	int sum = l->val + add;
	__asm__ volatile("" :: "r"(sum));
	return sum + l->pad;
}
static __attribute__((noipa)) int walk(struct leaf *l, enum fruit f)
{
	for (; l; l = l->next)
		sink += deep(l, f);
	return sink;
}
END2
for name in one two; do
	printf '#include "shared.h"\nint sink; int only_%s = 4;\nint main(int n, char **v) { struct leaf l = { n }; return walk(&l, PEAR) + deep(&l, n) + only_%s; }\n' \
		$name $name >$name.c
	${CC:-gcc} -g -O2 -o $name $name.c || fail "cannot compile"
done
seen()
{
	for name in one two; do
		for point in 'function("*")' 'function("deep").inline' 'function("*@shared.h")' 'statement("walk@*:*")'; do
			ktap -L "process(\"./$name\").$point"
			accepted
			cat out
		done
		ktap -p3 -e "probe process(\"./$name\").function(\"walk\") {
			println(\$l->big, \$l->next->more[2], @cast(\$l, \"struct leaf\")->val, @enum(\"PLUM\"), @var(\"only_$name\"), \$f) }"
		accepted
		grep 'kt_deref_user' out
	done
}
seen >before
grep -q 'function("deep@shared.h:4").*\$add:int \$l:struct leaf\*' before || fail "too little is listed: $(cat before)"
mkdir common
dwz -m common/shared.debug -M common/shared.debug one two || fail "dwz"
readelf --string-dump=.gnu_debugaltlink one | grep -q ' common/shared.debug' || fail "nothing is shared"
# A file that dwz moved is named with its directory.
seen | sed "s|@$PWD/|@|" >after
diff before after || fail "after dwz other things are seen"
rm common/shared.debug
ktap -L 'process("./one").function("walk")'
printed '^process(".*").function("walk")$'
# A FIFO in the place of the file is not waited for.
mkfifo common/fifo
printf '%s\0abcdefghij0123456789' "$PWD/common/fifo" >link
objcopy --update-section .gnu_debugaltlink=link two fifo
timeout 60 "$KTAP" -L 'process("./fifo").function("walk")' >out 2>err || fail "status $?"
printed '^process(".*").function("walk")$'
