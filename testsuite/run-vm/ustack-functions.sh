#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Each function on user stacks and symbols, in a program with fixed addresses: names from nm, lines from #line, the formats
# that scripts know; the debugging information is packed, as in -dbgsym packages. Without -g there are no lines, and that is all.
. "$SRCDIR/testsuite/lib/process.sh"

cat >p.c <<'END'
#ifdef __aarch64__
#define CALLER "x30"
#define EXIT() __asm__ volatile("mov x8, #93; mov x0, #0; svc #0" : : : "x0", "x8")
#else
#define CALLER "rip"
#define EXIT() __asm__ volatile("syscall" : : "a"(60), "D"(0))
#endif
static volatile int sink;
void *saved_pc, *saved_sp;
#line 100 "dir/given.c"
__attribute__((noinline, section(".text.leaf"))) void leaf(int x) { sink += x; }
#line 200 "dir/given.c"
__attribute__((noinline)) void middle(int x)
{
	saved_pc = __builtin_return_address(0), saved_sp = __builtin_dwarf_cfa();
	leaf(x);
	sink++;
}
#line 300 "dir/given.c"
void _start(void)
{
	__asm__ volatile(".cfi_undefined " CALLER);
	middle(1);
	EXIT();
}
END
flags='-O2 -fomit-frame-pointer -nostdlib -no-pie -fno-stack-protector'
# shellcheck disable=SC2086
${CC:-gcc} -g -gz=zlib $flags -o p p.c && ${CC:-gcc} -g0 $flags -o bare p.c && strip -o stripped bare || fail "cannot compile"

# address NAME, size NAME: in hexadecimal without zeros in front
address() { printf '%x' "$((0x$(nm p | awk -v n="$1" '$3 == n { print $1 }')))"; }
size() { printf '%x' "$((0x$(nm -S p | awk -v n="$1" '$4 == n { print $2 }')))"; }
leaf=$(address leaf) middle=$(address middle) start=$(address _start)
# where middle and _start go on after their calls
in_middle=$(objdump -d p | awk '/^[0-9a-f]* <middle>/ { on = 1 } on && /\t(call|bl)[ \t]/ { getline; sub(":", "", $1); print $1; exit }')
in_start=$(objdump -d p | awk '/^[0-9a-f]* <_start>/ { on = 1 } on && /\t(call|bl)[ \t]/ { getline; sub(":", "", $1); print $1; exit }')
test -n "$in_middle" && test -n "$in_start" || fail "no calls: $(objdump -d p)"
bare_leaf=$(nm bare | awk '$3 == "leaf" { sub("^0*", "", $1); print $1 }')
m_off=$(printf '%x' $((0x$in_middle - 0x$middle))) s_off=$(printf '%x' $((0x$in_start - 0x$start)))
# of the instruction itself, not of the call before it
given_line=$(addr2line -e p "0x$in_start" | sed 's/.*://; s/ .*//')
base=$(printf '%d' "$(readelf -lW p | awk '$1 == "LOAD" { print $3; exit }')")
build_id=$(readelf -n p | awk '/Build ID:/ { print $3 }')
test -n "$build_id" || fail "no build-id"
l_size=$(size leaf) m_size=$(size middle) s_size=$(size _start)

# The caller of a leaf is in x30 there, which is none of the three.
walk='print_ubacktrace(uaddr(), register("rsp"), register("rbp"))'
test "$machine" != aarch64 || walk='print_ubacktrace()'
for release in $(kernels); do
	# a program with a probe in it needs no -d, even where -c does not name it
	session formats -c "sh -c ./p" -e '
	probe process("./p").function("leaf") {
		println(usymname(uaddr()), " ", usymdata(uaddr()), " ", umodname(uaddr()))
		println(usymfile(uaddr()), " ", usymline(uaddr()), " ", usymfileline(uaddr()))
		println(usymname(16), " ", usymdata(16), " ", umodname(16), " ", usymfile(16), usymline(16), usymfileline(16))
		println(ubacktrace())
		println(ucallers(2), " ", ucallers(-1), " ", ucallers(0))
		printf("%s %x %x %x\n", ucaller(), ustack(0), ustack(2), ustack(3))
		println(ubacktrace_folded())
		print_ubacktrace()
		print_ubacktrace_brief()
		print(sprint_ubacktrace())
		print_ubacktrace_fileline()
		print_usyms(ubacktrace())
		print(sprint_usyms(ucallers(1)))
		print_ustack(ucallers(1))
		print(sprint_ustack(ucallers(1)))
		println(probefunc(), " ", ppfunc())
		'"$walk"'
		print_ubacktrace(@var("saved_pc"), @var("saved_sp"), 0)
		print_ubacktrace_fileline(@var("saved_pc"), @var("saved_sp"), 0)
		printf("%x %s\n", umodaddr(uaddr()), umodbuildid(uaddr()))
		try { umodaddr(16) } catch (m) { println(m) }
		try { umodbuildid(16) } catch (m) { println(m) }
	}'
	session graph -c "sh -c ./p" -e '
	probe process("./p").function("middle").call, process("./p").function("middle").return,
	      process("./p").function("leaf").call, process("./p").function("leaf").return { function_graph() }'
	session bare -c ./bare -d ./bare -e '
	probe process("./bare").function("leaf") { printf("[%s%s%s]\n", usymfile(uaddr()), usymline(uaddr()), usymfileline(uaddr())) }'
	session stripped -c ./stripped -d ./stripped -e "
	probe process(\"./stripped\").statement(0x$bare_leaf) { print_ubacktrace() }"
	boot
	result formats
	stack=" 0x$leaf : leaf+0x0/0x$l_size [$work/p]
 0x$in_middle : middle+0x$m_off/0x$m_size [$work/p]
 0x$in_start : _start+0x$s_off/0x$s_size [$work/p]"
	last=$(printf '%s\n' "$stack" | tail -n 1)
	names=$(printf '%s\n' "$stack" | sed 's/^ .* : //')
	expect <<-END
	leaf leaf+0x0/0x$l_size [$work/p] p
	dir/given.c 100 dir/given.c:100
	0x10 0x10 <unknown> 0x100x100x10
	0x$leaf 0x$in_middle 0x$in_start 
	0x$leaf 0x$in_middle 0x$leaf 0x$in_middle 0x$in_start 
	middle 0x$in_middle $leaf $in_start 0
	_start;middle;leaf
	$stack
	leaf+0x0
	middle+0x$m_off
	_start+0x$s_off
	$names
	 0x$leaf : leaf+0x0/0x$l_size at dir/given.c:100 [$work/p]
	 0x$in_middle : middle+0x$m_off/0x$m_size at dir/given.c:203 [$work/p]
	 0x$in_start : _start+0x$s_off/0x$s_size at dir/given.c:303 [$work/p]
	$stack
	leaf+0x0/0x$l_size [$work/p]
	 0x$leaf : leaf+0x0/0x$l_size [$work/p]
	leaf+0x0/0x$l_size [$work/p]
	leaf leaf
	$stack
	$last
	 0x$in_start : _start+0x$s_off/0x$s_size at dir/given.c:$given_line [$work/p]
	$(printf '%x' $((0x$leaf - base))) $build_id
	umodaddr(0x10): no file is mapped there
	umodbuildid(0x10): the build-id is unknown
	END
	grep -q 'no tables' err && fail "the probed program had no tables at first"
	result graph
	sed -Ei 's/^p\([0-9]+\) +([0-9]+\.[0-9]{3} us)? *\|/\1|/; s/^[0-9.]+/N/' out
	expect <<-END
	| middle() {
	N us|   leaf();
	N us| } /* middle */
	END
	result bare
	expect <<-END
	[0x${bare_leaf}0x${bare_leaf}0x$bare_leaf]
	END
	# Without symbols it is the file and the place in it: that of the address, not of the call before it.
	result stripped
	sed -n 's/^ 0x[0-9a-f]*\(...\) : \[.*stripped+0x[0-9a-f]*\(...\)\]$/\1 \2/p' <out >places
	awk '$1 == $2 { same++ } END { exit !(same == 3 && NR == 3) }' <places || { cat out; fail "not the addresses' places"; }
done
