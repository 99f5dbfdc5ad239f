#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktap symbolize: addresses and SYMBOL+OFFSET of a program, of a kernel and of a module, from arguments and from lines, as text and as objects of
# the schema, compared with nm and addr2line; what is unknown, and what is refused.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >prog.c <<'END'
static inline __attribute__((always_inline)) int twice(volatile int *n)
{
	return *n + *n;
}
__attribute__((noinline)) int sum(volatile int *a, int b)
{
	return twice(a) + b;
}
int main(int argc, char **argv) { volatile int n = argc; return sum(&n, argv[0][0]); }
END
gcc -g -O1 -o prog prog.c || { echo "gcc cannot compile"; exit 77; }
address=$(nm prog | sed -n 's/^0*\([0-9a-f]*\) T sum$/\1/p')

# Every byte of sum() is in its function, and in the lines that addr2line gives.
end=$(nm -S prog | sed -n 's/^[0-9a-f]* 0*\([0-9a-f]*\) T sum$/\1/p')
i=0
while [ $i -lt $((0x$end)) ]; do printf '%x\n' $((0x$address + i)); i=$((i + 1)); done >addresses
"$KTAP" symbolize -x ./prog <addresses >out 2>err || fail "status $?"
sed 's/^0x\([0-9a-f]*\) sum+0x[0-9a-f]* .*prog\.c:\([0-9]*\).*/\1 \2/' out >ours
addr2line -e prog <addresses | sed 's/.*:\([0-9]*\).*/\1/' | paste -d ' ' addresses - >theirs
cmp -s ours theirs || { diff ours theirs | head; fail "not what addr2line says"; }
grep -q 'prog.c:3 (twice, inlined into sum)$' out || fail "no inlined code"
ktap symbolize --exe ./prog main "sum+0x1/0x$end" "0x$address"
accepted
printed '^0x[0-9a-f]* main+0x0 .*prog.c:9$'
printed "^0x$(printf '%x' $((0x$address + 1))) sum+0x1 .*prog.c:"
printed "^0x$address sum+0x0 .*prog.c:[36]"
ktap symbolize -x ./prog --json sum 0x1
test "$status" = 1 || fail "status $status for an unknown address"
printed "^{\"type\":\"symbol\",\"address\":$((0x$address)),\"symbol\":\"sum\",\"offset\":0,\"file\":\"[^\"]*prog\",\"code.function.name\":\"[a-z]*\",\"code.file.path\":\"[^\"]*prog.c\",\"code.line.number\":[36][,}]"
printed '^{"type":"symbol","address":1,"file":"[^"]*prog"}$'
perl -I "$SRCDIR/testsuite/lib" -MJsonSchema -ne '
	BEGIN { $schema = JsonSchema->new("$ENV{SRCDIR}/docs/ktap-output-1.schema.json") }
	die join("\n", $schema->faults($_)), "\n" if $schema->faults($_ = JsonSchema::decoder()->decode($_))' out || fail "not as the schema says"
# Without debugging information there are symbols.
strip -g prog
ktap symbolize -x ./prog sum+2
accepted
printed "^0x$(printf '%x' $((0x$address + 2))) sum+0x2\$"
for wrong in '-x ./prog nosuch' '-x ./prog sum+' '-x ./prog sum+zz' '-x ./prog -m ext4 sum' '-x' '--nosuch'; do
	# shellcheck disable=SC2086
	ktap symbolize $wrong
	refused usage
done
ktap symbolize -x ./nosuch main
test "$status" = 2 || fail "status $status without a program"

release=$(kernels)
release=${release%% *}
test -n "$release" || exit 0
"$KTAP" symbolize -r "$release" vfs_read >out 2>err || fail "status $?: $(cat err)"
printed '^0xffffffff[0-9a-f]* vfs_read+0x0 fs/read_write.c:[0-9]*$'
address=$(sed 's/ .*//' out)
ktap symbolize -r "$release" "$address" "${address#0x}"
accepted
test "$(sort -u out | wc -l)" = 1 || fail "the address is not that of the symbol"
ktap symbolize -r "$release" -m loop loop_configure+0x10
accepted
printed '^loop_configure+0x10 \[loop\] drivers/block/loop.c:[0-9]*$'
ktap symbolize -r "$release" -m loop 0x1234
refused usage
ktap symbolize -r "$release" -m nosuch x
refused no-match
