#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# State is passed. The variables of the programs that live as long as they do, by the object files of this build: as many in each file as
# statics.txt says, and none elsewhere. One that is gone is taken off the list, too.
. "$SRCDIR/testsuite/lib/sh.sh"
test -z "$(find "$BUILDDIR/lib" -name '*.gcno')" || { echo "the build counts lines, in variables of its own"; exit 77; }
! grep -q fsanitize "$BUILDDIR/config.status" || { echo "the build has variables of a sanitizer"; exit 77; }
! "$BUILDDIR/config.status" --config | grep -q -- --without || { echo "the build lacks files"; exit 77; }
cd "$BUILDDIR"
# FILE NAME for each. Objects of tests, and those that are built again with other flags, have a name of their own.
for object in $(find lib translator cli runtime/loader runtime/output runtime/bpf runtime/user -name '*.o' | grep -Ev 'checked|testsuite_|vm_init-'); do
	source=$(echo "$object" | sed 's,[^/]*_a-,,; s,o$,c,')
	objdump -t "$object" | awk -v file="$source" '/ O |\.tbss/ && $(NF - 2) ~ /^\.(bss|tbss|data|data\.rel|data\.rel\.local)$/ { print file, $NF }'
done | sort -u >"$OLDPWD/found"
cd "$OLDPWD"
test -s found || fail "no variable was found in $BUILDDIR"
cut -d' ' -f1 found | uniq -c | awk '{ print $2, $1 }' >counts
sed -n 's/^\([^# ]*\.c\) \([0-9]*\) .*/\1 \2/p' "$SRCDIR/testsuite/house/statics.txt" | sort >expected
cmp -s expected counts || {
	diff expected counts
	grep -F "$(diff expected counts | sed -n 's/^> \([^ ]*\) .*/\1 /p')" found
	fail "pass it: HACKING.md, or say in statics.txt why it cannot be passed"
}
