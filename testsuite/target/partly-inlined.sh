#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where gcc inlines the beginning of a function and makes NAME.part.0 of the rest, the inlined beginnings are the calls: the part is
# no place of the function, but its lines, callees and addresses are there. Names of copies, as stacks show them, are found.
. "$SRCDIR/testsuite/lib/sh.sh"

${CC:-gcc} -g -O2 -o prog "$SRCDIR/testsuite/lib/partly-inlined.c" || fail "cannot compile"
nm prog >symbols
grep -q ' put\.part\.0$' symbols || { echo "this compiler does not inline parts of functions"; exit 77; }
copy=$(sed -n 's/.* \(scaled\.[a-z.0-9]*\)$/\1/p' symbols)
test "$copy" || fail "scaled() has no copy: $(cat symbols)"

# places POINT: how many there are.
places()
{
	ktap -p2 -e "probe process(\"./prog\").$1 { println(pp()) }"
	accepted
	grep -c '^process' out
}

test "$(places 'function("put")')" = 3 || fail "not the three inlined beginnings: $(cat out)"
test "$(places 'function("put").inline')" = 3 || fail "inlined: $(cat out)"
for suffix in call return exported; do
	ktap -p2 -e "probe process(\"./prog\").function(\"put\").$suffix { println(pp()) }"
	refused no-match
done
ktap -l 'process("./prog").function("put").call'
test -s out && fail "a listing has the part: $(cat out)"
test "$(places 'statement("put@*:21")')" = 1 || fail "no line of the part: $(cat out)"
test "$(places 'function("put").callee("add")')" = 1 || fail "what the part calls: $(cat out)"
test "$(places 'function("two").callees(1)')" = 1 || fail "callees of two(): $(cat out)"
test "$(places 'function("two").callees(2)')" = 2 || fail "callees of put() in two(): $(cat out)"
grep -q '"add@' out || fail "what the part calls is no callee of put() in two(): $(cat out)"
test "$(places 'function("put.part.0")')" = 1 || fail "the part by its name: $(cat out)"
address=$(sed -n 's/^0*\([0-9a-f]*\) .* put\.part\.0$/0x\1/p' symbols)
test "$(places "function($address)")" = 1 || fail "the part by its address: $(cat out)"
test "$(places "function(\"$copy\").return")" = 1 || fail "a copy by its name: $(cat out)"
test "$(places 'function("scaled")')" = 1 || fail "the copy by the function's name: $(cat out)"

# The rest is inlined again: a place of neither function. Its lines and their variables are those of the call.
${CC:-gcc} -g -O2 -o prog "$SRCDIR/testsuite/lib/rest-inlined.c" || fail "cannot compile"
test "$(places 'function("put")')" = 1 || fail "put is inlined into itself: $(cat out)"
test "$(places 'function("depth").inline')" -gt 2 || fail "recursion that was inlined: $(cat out)"
test "$(places 'function("odd_end").inline')" = 2 || fail "odd_end() is called in two functions: $(cat out)"
test "$(places 'function("even_end").inline')" = 2 || fail "even_end() is called in two functions: $(cat out)"
line=$(grep -n 'o->next = pool' "$SRCDIR/testsuite/lib/rest-inlined.c" | cut -d: -f1)
test "$(places "statement(\"put@*:$line\")")" = 1 || fail "not one place of a line of the rest: $(cat out)"
ktap -p2 -e "probe process(\"./prog\").statement(\"put@*:$((line - 1))\") { println(\$o->refs) }"
accepted
ktap -p2 -e 'probe process("./prog").function("put").call { println($o->refs) }'
accepted
ktap -p2 -e 'probe process("./prog").function("put").callees(1) { println(pp()) }'
grep -q '"put@' out && fail "put() does not call itself: $(cat out)"
exit 0
