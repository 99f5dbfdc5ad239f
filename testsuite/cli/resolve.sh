#!/bin/sh
# ktap resolve: places as text, and with --json as objects of the schema; what it refuses.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >prog.c <<'END'
struct point { int x, y; };
static inline __attribute__((always_inline)) int twice(int n) { return n + n; }
__attribute__((noinline)) int sum(struct point *p, long by)
{
	return twice(p->x) + p->y * (int)by;
}
int main(int argc, char **argv) { struct point p = { argc, 2 }; return sum(&p, argv[0][0]) == 1; }
END
gcc -g -O1 -o prog prog.c || { echo "gcc cannot compile"; exit 77; }
address=$(nm prog | sed -n 's/^0*\([0-9a-f]*\) T sum$/\1/p')

# objects: each line of stdout is one of the schema, and a place.
objects()
{
	perl -I "$SRCDIR/testsuite/lib" -MJsonSchema -ne '
		BEGIN { $schema = JsonSchema->new("$ENV{SRCDIR}/docs/ktap-output-1.schema.json") }
		my $place = JsonSchema::decoder()->decode($_);
		print "$_\n" for $schema->faults($place);
		$failed = 1 if $schema->faults($place) || $place->{type} ne "place";
		END { exit($failed // 0) }' out || fail "not as the schema says"
}

ktap resolve 'process("./prog").function("sum")' --json
accepted
objects
test "$(wc -l <out)" = 1 || fail "one place"
printed "\"point\":\"process(\\\\\"[^\"]*/prog\\\\\").function(\\\\\"sum@[^\"]*prog.c:3\\\\\")\",\"mechanism\":\"[a-z]*\",\"file\":\"[^\"]*/prog\",\"address\":$((0x$address)),\"symbol\":\"sum\",\"offset\":0,\"code.function.name\":\"sum\",\"code.file.path\":\"[^\"]*prog.c\",\"code.line.number\":3,"
printed '"variables":\[.*{"name":"$p","type":"struct point\*"},{"name":"$by","type":"long int"}'
ktap resolve --json 'process("./prog").function("twice").inline, timer.s(1)'
accepted
objects
printed '"code.function.name":"twice","code.file.path":"[^"]*prog.c","code.line.number":2,"inlined_into":"sum"'
printed '^{"type":"place","point":"timer.s(1)","mechanism":"timer","variables":\[\]}$'
ktap resolve 'process("./prog").function("sum")'
accepted
printed "^process(\".*/prog\").function(\"sum@.*prog.c:3\")$"
printed "^  at .*/prog+0x$address sum .*prog.c:3, uprobe\$"
ktap resolve begin end
refused usage
said 'found 2 words'
ktap resolve 'timr.s(1)'
refused probe-point
