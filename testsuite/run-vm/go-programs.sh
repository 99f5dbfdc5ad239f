#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program of Go's compiler says what ktap must: parameters in registers and on the stack, strings, slices, methods, interfaces and
# what they hold, instances of generics, stacks, and goroutines whose stacks move while probed. Returns of 20 functions are as many as the
# program counts: recursive ones, those with several results, with deferred calls, that panic, that block, and closures.
. "$SRCDIR/testsuite/lib/process.sh"
command -v go >/dev/null || { echo "Go is not installed: golang-go"; exit 77; }

cat >prog.go <<'END'
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

type Shape interface{ Area() int }
type Square struct{ Side int }
type List struct {
	name  string
	items []int
}

//go:noinline
func (s Square) Area() int { return s.Side * s.Side }

//go:noinline
func (l *List) Add(n int, tag string) int {
	l.items = append(l.items, n)
	return len(l.items) + len(tag)
}

//go:noinline
func pay(amount int, who string, small uint8, flag bool, items []int32, minus int16) int {
	return amount + len(who) + int(small) + len(items) + int(minus)
}

//go:noinline
func look(s Shape, err error) int { return s.Area() + len(err.Error()) }

//go:noinline
func biggest[N int | string](a, b N) N {
	if a > b {
		return a
	}
	return b
}

// More than there are registers.
//
//go:noinline
func many(a, b, c, d, e, f, g, h, i, j, k, l int) int { return a + b + c + d + e + f + g + h + i + j + k + l }

// Grows the stack, which moves.
//
//go:noinline
func deep(n int) int {
	var space [512]byte
	space[n%512] = byte(n)
	if n == 0 {
		return int(space[0])
	}
	return deep(n-1) + int(space[n%512])
}

func main() {
	runtime.LockOSThread()
	list := &List{name: "todo"}
	total := 0
	for i := 1; i <= 3; i++ {
		who := fmt.Sprintf("customer %d", i)
		items := []int32{int32(i * 10), int32(i * 20)}
		fmt.Printf("T pay %d %s %d %d %d:%d,%d %d\n", i*100, who, i+250, i%2, len(items), items[0], items[1], -i)
		total += pay(i*100, who, uint8(i+250), i%2 == 1, items, int16(-i))
		fmt.Printf("T add %s %d %d tag%d\n", list.name, len(list.items), i*7, i)
		total += list.Add(i*7, fmt.Sprintf("tag%d", i))
	}
	fmt.Printf("T look go.itab.main.Square,main.Shape 12 wrong side\n")
	total += look(Square{12}, errors.New("wrong side"))
	fmt.Printf("T area 12 main.Square.Area main.(*Square).Area main.look\n")
	fmt.Printf("T many 1 2 9 10 11 12\n")
	total += many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	total += biggest(3, 4) + len(biggest("a", "b"))
	done := make(chan int)
	for i := 0; i < 4; i++ {
		go func(i int) { done <- deep(2000 + i) }(i)
	}
	for i := 0; i < 4; i++ {
		total += <-done
	}
	if total < 0 {
		os.Exit(1)
	}
}
END
go_build()
{
	GOCACHE=$PWD/cache GOPATH=$PWD/path GOFLAGS=-modcacherw GO111MODULE=off go build -o "$1" "$1.go" || fail "cannot compile $1.go"
}
go_build prog
cat >script.stp <<'END'
global last, deep, entered
function text(s:long, n:long) { return user_string_n(s, n) }
# The entry of a function that makes its stack larger is hit again.
function once(line) { if (line != last) println(line); last = line }
probe process("./prog").function("main.pay") {
	once(sprintf("K pay %d %s %d %d %d:%d,%d %d", $amount, text($who->str, $who->len), $small, $flag, $items->len,
		$items->array[0], $items->array[1], $minus))
}
probe process("./prog").function("main.(*List).Add") {
	once(sprintf("K add %s %d %d %s", text($l->name->str, $l->name->len), $l->items->len, $n, text($tag->str, $tag->len)))
}
probe process("./prog").function("main.look") {
	wrong = @cast($err->data, "errors.errorString", "./prog")
	once(sprintf("K look %s %d %s", usymname($s->tab), @cast($s->data, "main.Square", "./prog")->Side,
		text(@cast(wrong, "errors.errorString", "./prog")->s->str, @cast(wrong, "errors.errorString", "./prog")->s->len)))
}
probe process("./prog").function("main.Square.Area") {
	one = tokenize(ubacktrace(), " ")
	for (i = 0; i < 3; i++) {
		callers .= " " . usymname(strtol(one, 16))
		one = tokenize(" ")
	}
	once(sprintf("K area %d%s", $s->Side, callers))
}
probe process("./prog").function("main.many") { once(sprintf("K many %d %d %d %d %d %d", $a, $b, $i, $j, $k, $l)) }
probe process("./prog").function("main.biggest*") { entered[ppfunc()] = 1 }
probe process("./prog").function("main.deep") { deep++ }
probe end {
	foreach (f+ in entered) println(f)
	# 8,006 calls, and one for each growth.
	println(deep >= 8006 && deep < 8200 ? "deep" : sprint(deep))
}
END
# A caller counts: a function that panics has no return there.
cat >returns.go <<'END'
package main

import (
	"fmt"
	"os"
)

var returned [20]int

type node struct{ next *node }

func recovered(i int, f func()) {
	defer func() { recover() }()
	f()
	returned[i]++
}

END
calls=
for i in 0 5 10 15; do
	cat >>returns.go <<END
//go:noinline
func f$i(n int) int {
	var space [256]byte
	space[n&255] = 1
	if n == 0 {
		return int(space[0])
	}
	r := f$i(n-1) + int(space[n&255])
	returned[$i]++
	return r
}

//go:noinline
func f$((i + 1))(n int) (int, string, error) {
	switch n {
	case 0:
		return 1, "none", nil
	case 1:
		return n * 2, "one", nil
	case 2:
		return 7, fmt.Sprint(n), nil
	case 3:
		return f$((i + 4))(make(chan int, 1), n), "three", nil
	}
	return n, "many", fmt.Errorf("%d", n)
}

//go:noinline
func f$((i + 2))(n int) (r int) {
	defer func() { r += n }()
	if n%3 == 0 {
		panic("three")
	}
	return n
}

//go:noinline
func f$((i + 3))(n *node) *node {
	if n.next == nil {
		return n
	}
	return n.next
}

//go:noinline
func f$((i + 4))(c chan int, n int) int {
	go func() { c <- n }()
	return <-c
}

END
	calls="$calls
	go func() { f$i($((i * 300 + 100))); returned[$i]++; done <- 0 }()
	<-done
	for n := 0; n < 6; n++ {
		first, second, _ := f$((i + 1))(n)
		sum += first
		length += len(second)
		returned[$((i + 1))]++
		if n == 3 { returned[$((i + 4))]++ }
		recovered($((i + 2)), func() { f$((i + 2))(n) })
		f$((i + 3))(&node{})
		returned[$((i + 3))]++
		f$((i + 4))(make(chan int), n)
		returned[$((i + 4))]++
	}"
done
cat >>returns.go <<END
func main() {
	done := make(chan int)
	sum, length := 0, 0
$calls
	fmt.Printf("T results %d %d\n", sum, length)
	for i, n := range returned {
		fmt.Printf("T %d returns of f%d\n", n, i)
	}
	os.Exit(7)
}
END
go_build returns
cat >returns.stp <<'END'
global returned, kept, moved, sum, len
probe process("./returns").function("main.f1").return, process("./returns").function("main.f6").return,
	process("./returns").function("main.f11").return, process("./returns").function("main.f16").return {
	sum += returnval()
	len += register(REGISTER)
}
probe process("./returns").function("main.f*").return { returned[ppfunc()]++; if (@entry(ppfunc()) == ppfunc()) kept[ppfunc()]++ }
probe process("./returns").function("main.f0").return { if (@entry($n) < 100) moved++ }
probe end {
	printf("K results %d %d\n", sum, len)
	for (i = 0; i < 20; i++) {
		name = sprintf("main.f%d", i)
		printf("K %d returns of f%d\n", returned[name] == kept[name] ? returned[name] : -1, i)
	}
	println(moved)
}
END
# The length of the string, which is the second result.
case $(uname -m) in aarch64) length_in=x2 ;; *) length_in=rcx ;; esac
sed -i "s/REGISTER/\"$length_in\"/" returns.stp
ktap -p2 -e 'probe process("./returns").function("main.f0").return { println($return) }'
refused target-var
said 'returnval() is the first word of the results'
for release in $(kernels); do
	session go script.stp -c ./prog
	session returns returns.stp -c ./returns
	boot
	result returns
	told_truth
	test "$(grep -v '^[TK] ' out)" = 100 || fail "of 100 inner calls of f0, $(grep -v '^[TK] ' out) kept their value of the entry"
	result go
	told_truth
	grep -v '^[TK] ' out >others
	printf '%s\n' 'main.biggest[go.shape.int_0]' 'main.biggest[go.shape.string_0]' deep | cmp - others || fail "instances, calls: $(cat others)"
done
