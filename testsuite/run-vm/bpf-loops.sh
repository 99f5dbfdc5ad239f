#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64
# Loops of BPF programs compute what is known beforehand, form by form. Each form is a probe, which the verifier sees alone. A module prints the
# same. A loop that a budget ends reports an error that names the budget, as in a module.
. "$SRCDIR/testsuite/lib/process.sh"

# lseek(fd, I, 1) for each form I: the scripts get a one that the compiler does not know.
program calls -D_GNU_SOURCE <<'END'
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	int fd = open("/dev/zero", O_RDONLY);

	for (int i = 1; i <= 64; i++)
		lseek(fd, i, SEEK_CUR);
	return 0;
}
END

# form N, and its statements on stdin
form()
{
	echo "probe kernel.function(\"null_lseek\").call {"
	echo "	if (execname() != \"calls\" || \$offset != $1) next"
	echo "	one = \$orig; print(\"$1:\")"
	cat
	echo '}'
}
# expect_form N VALUES
expect_form() { printf '%s: %s\n' "$1" "$2" >>values; }

n=0
# f VALUES: the next form, its statements on stdin
f()
{
	n=$((n + 1))
	form $n >>forms.stp
	expect_form $n "$1"
}

cat >forms.stp <<'END'
global square, pair, few, chain, sieve, seen, st, total, calls
function sum(n) { s = 0; for (i = 1; i <= n; i++) s += i; return s }
function half(v) { return v / 2 }
function root(n) { i = 0; while (1) { i++; if (i * i > n) return i } }
function factors(n) { for (i = 1; ; i++) for (j = 1; j <= i; j++) if (i * j == n) return i * 100 + j }
function stars(n) { s = ""; while (1) { if (n-- == 0) return s; s .= "*" } }
function guarded(n) { for (i = n; ; i--) try { q = 60 / i; if (i == -2) return q } catch { return 1000 + i } }
function odd(n) { for (i = 0; i <= n; i++) if (i == n) next; return 1 }
function odd(n) { return 2 }
function at_least(n) { for (i = 0; i < 10; i++) if (i >= n) break; return i }
function nothing(n) { while (n--) calls++ }
function deep(n) { s = 0; for (i = 0; i < n; i++) s += sum(i) * 10; return s }
function raising(n) { for (i = 0; ; i++) if (i == n) error(sprintf("at %d", i)) }
END

# ---- one loop ----
f '45 10' <<'END'
	i = 0; s = 0; while (i < 10 * one) { s += i; i++ } println(" ", s, " ", i)
END
f '5050 101' <<'END'
	s = 0; for (i = one; i <= 100; i++) s += i; println(" ", s, " ", i)
END
f '7' <<'END'
	for (i = 0; ; i++) { if (i == 7) break } println(" ", i)
END
f '6' <<'END'
	for (i = 0; i < 5 * one; ) i += 2; println(" ", i)
END
f '9' <<'END'
	i = 3; for (; i < 9 * one; i++) ; println(" ", i)
END
# no turn at all
f '0 0 5' <<'END'
	s = 0; while (one > 1) s++; for (i = 0; i < one - 1; i++) s++; for (k = 5; one == 0; k++) s++; println(" ", s, " ", i, " ", k)
END
f '30 10' <<'END'
	i = 0; s = 0; while (i < 10) { i++; if (i % 2) continue; s += i } println(" ", s, " ", i)
END
# the step is done after a continue
f '18 10' <<'END'
	s = 0; for (i = 0; i < 10; i++) { if (i % 3) continue; s += i } println(" ", s, " ", i)
END
f '7 -11' <<'END'
	s = 0; for (i = 10; i > -10 * one; i -= 3) s += i; println(" ", s, " ", i)
END
# over the largest number to the smallest
f '3 -9223372036854775808' <<'END'
	n = 0; for (i = 0x7ffffffffffffffd; i > 0; i += one) n++; println(" ", n, " ", i)
END
f '64 0' <<'END'
	n = 0; for (b = one; b; b <<= 1) n++; println(" ", n, " ", b)
END
f '5 6 5' <<'END'
	i = 0; j = 10; s = 0; while (i++ < 5 && j-- > 0) s++; println(" ", s, " ", i, " ", j)
END
f '3 4' <<'END'
	i = 0; j = 7; while (i >= 3 * one ? 0 : j > 4 || i < 3) { i++; j-- } println(" ", i, " ", j)
END
f '111 9232' <<'END'
	x = 27 * one; n = 0; m = 0; while (x != 1) { x = x % 2 ? 3 * x + 1 : x / 2; n++; if (x > m) m = x } println(" ", n, " ", m)
END
f '21 3' <<'END'
	x = 1071; y = 462 * one; n = 0; while (y) { t = x % y; x = y; y = t; n++ } println(" ", x, " ", n)
END
f '2880067194370816120' <<'END'
	a = 0; b = one; for (i = 0; i < 90; i++) { t = a + b; a = b; b = t } println(" ", a)
END
f '4999950000 100000' <<'END'
	s = 0; for (i = 0; i < 100000 * one; i++) s += i; println(" ", s, " ", i)
END
f '0 1 2 3' <<'END'
	for (i = 0; i < 4; i++) printf(" %d", i * one); println("")
END

# ---- nested ----
f '15' <<'END'
	s = 0; for (i = 0; i < 5; i++) for (j = 0; j <= i; j++) s += one; println(" ", s)
END
f '7020 3 4 5' <<'END'
	s = 0; for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) for (k = 0; k < 5; k++) s += i * 100 + j * 10 + k * one; println(" ", s, " ", i, " ", j, " ", k)
END
f '10 4' <<'END'
	s = 0; for (i = 0; i < 4 * one; i++) for (j = 0; j < 10; j++) { if (j > i) break; s++ } println(" ", s, " ", i)
END
f '4 7' <<'END'
	f = 0; for (i = 0; i < 10 && !f; i++) for (j = 0; j < 10; j++) if (i * 10 + j == 37 * one) { f = 1; break } println(" ", i, " ", j)
END
f '12 4' <<'END'
	s = 0; for (i = 0; i < 4; i++) { j = 0; while (1) { j++; if (j % 2) continue; if (j > 6) break; s++ } if (j != 8) s = -99 } println(" ", s, " ", i)
END
# the inner loop writes the counter of the outer one
f '5 10' <<'END'
	n = 0; for (i = 0; i < 10; ) { while (i % 2 != 1) i++; i++; n += one } println(" ", n, " ", i)
END
# as deep as a BPF program can be: the handler and seven
f '128 1' <<'END'
	n = 0; for (a = 0; a < 2; a++) for (b = 0; b < 2; b++) for (c = 0; c < 2; c++) for (d = 0; d < 2; d++)
		for (e = 0; e < 2; e++) for (f = 0; f < 2; f++) { g = 0; while (g < 2) { n += one; g++ } }
	println(" ", n, " ", a == 2 && g == 2)
END
f '55 5' <<'END'
	if (one) while (one < 5) one++; else for (one = 9; one > 0; one--) ;
	if (one > 9) for (;;) one++; else { s = 0; for (i = 0; i <= 10; i++) s += i } println(" ", s, " ", one)
END

# ---- left for more than the loop ----
f '5' <<'END'
	for (i = 0; ; i++) if (i == 5 * one) { println(" ", i); next } println(" impossible")
END
f '3 4' <<'END'
	for (i = 0; ; i++) { j = 0; while (j < 10) { j++; if (i == 3 && j == 4) { println(" ", i, " ", j); next } } } println(" impossible")
END
f '8 1 4' <<'END'
	println(" ", root(50 * one), " ", root(one - 1), " ", root(9 + root(one)))
END
f '403 100 1313' <<'END'
	println(" ", factors(12 * one) - factors(one) + 101, " ", factors(one) - 1, " ", factors(169))
END
f '1000 -30' <<'END'
	println(" ", guarded(3 * one), " ", guarded(-1))
END
f '2 1' <<'END'
	println(" ", odd(5 * one), " ", odd(-1 * one))
END

# ---- with functions ----
f '220' <<'END'
	s = 0; for (i = 0; i <= 10 * one; i++) s += sum(i); println(" ", s)
END
f '55010' <<'END'
	println(" ", sum(10 * one) * 1000 + sum(4))
END
f '9 0' <<'END'
	x = 1000 * one; n = 0; while ((x = half(x))) n++; println(" ", n, " ", x)
END
f '6 15' <<'END'
	s = 0; for (i = 0; i < sum(3 * one); i++) s += i; println(" ", i, " ", s)
END
f '200 110 10' <<'END'
	println(" ", deep(5), " ", deep(4) + sum(at_least(4 * one)), " ", at_least(20))
END

# ---- with strings ----
f '***** 0' <<'END'
	print(" ", stars(5 * one)); println(stars(one - 1), " ", stars(0) != "")
END
f '0,1,2,3,4,' <<'END'
	s = ""; for (i = 0; i < 5 * one; i++) s = s . sprintf("%d,", i); println(" ", s)
END
f 'abababab 4' <<'END'
	s = ""; n = 0; while (s != "abababab") { s .= "ab"; n += one } println(" ", s, " ", n)
END
f 'aaaa 3' <<'END'
	s = "a"; n = 0; while (s < "aaaa") { s .= "a"; n += one } println(" ", s, " ", n)
END
# two strings change places
f 'b a b' <<'END'
	x = "a"; y = "b"; for (i = 0; i < 5 * one; i++) { t = x; x = y; y = t } println(" ", x, " ", y, " ", t == "a" ? "b" : "?")
END

# ---- with arrays ----
f '140' <<'END'
	for (i = 0; i < 8; i++) square[i] = i * i * one; s = 0; for (i = 0; i < 8; i++) s += square[i]; println(" ", s)
END
f '00 01 10 11 0' <<'END'
	for (i = 0; i < 2 * one; i++) for (j = 0; j < 2; j++) pair[i, j] = sprintf("%d%d", i, j)
	for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) print(" ", pair[i, j]); println(" ", [2, 0] in pair)
END
f '5 13579' <<'END'
	for (i = 0; i < 10; i++) few[i] = one; for (i = 0; i < 10; i += 2) delete few[i]
	n = 0; s = 0; for (i = 0; i < 10; i++) if (i in few) { n++; s = s * 10 + i } println(" ", n, " ", s)
END
f '9 3' <<'END'
	chain[1] = 5; chain[5] = 3; chain[3] = 9; k = one; n = 0; while (k in chain) { k = chain[k]; n++ } println(" ", k, " ", n)
END
f '15 328' <<'END'
	n = 0; s = 0; for (i = 2; i < 50; i++) { if (sieve[i]) continue; n++; s += i; for (j = i * i; j < 50; j += i) sieve[j] = one } println(" ", n, " ", s)
END
f '3 2 1' <<'END'
	s = "x"; for (i = 0; i < 6 * one; i++) { seen[s]++; s = i % 3 == 2 ? "x" : i % 3 ? "z" : "yy" } println(" ", seen["x"] + one, " ", seen["yy"], " ", seen["z"] - one)
END
f '12' <<'END'
	for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) { total += one; st <<< i * j } println(" ", total)
END

# ---- with try ----
f '0 1 division by 0' <<'END'
	s = 0; e = 0; for (i = -2; i <= 2; i++) try { s += 100 / (i * one) } catch (m) { e++ } println(" ", s, " ", e, " ", m)
END
f '22 3 division by 0' <<'END'
	s = 0; try { for (i = 0; ; i++) s += 12 / (3 * one - i) } catch (m) { println(" ", s, " ", i, " ", m) }
END
f '6 j1j2j3' <<'END'
	s = 0; t = ""; for (i = 0; i < 3; i++) try { for (j = 0; j < 5; j++) { if (j == i + 1) error(sprintf("j%d", j)); s += one } } catch (m) { t .= m } println(" ", s, " ", t)
END
f '4 4' <<'END'
	s = 0; for (i = 0; ; i++) try { if (i == 4 * one) break; s++ } catch { s = -99 } println(" ", s, " ", i)
END
f '3 3 6' <<'END'
	s = 0; t = 0; for (i = 0; i < 6; i++) { try { x = one / (i % 2); s += x } catch { continue } t++ } println(" ", s, " ", t, " ", i)
END
f '2 6' <<'END'
	for (i = 0; i < 5; i++) try { x = 6 / (2 * one - i) } catch { println(" ", i, " ", x); next } println(" impossible")
END
f 'at 3 at 0 2' <<'END'
	e = 0; for (i = 0; i < 2; i++) try { raising(i ? 0 : 3 * one) } catch (m) { print(" ", m); e++ } println(" ", e)
END
f '5 4 1' <<'END'
	nothing(2 * one); for (i = 0; i < 3; i++) nothing(one); n = 0; while (1) { try { try { n++; x = 1 / (4 - n) } catch (m) { error(m) } } catch { break } } println(" ", calls, " ", n, " ", x)
END
cat >>forms.stp <<'END'
probe end { println("end: ", total, " ", @count(st), " ", @sum(st), " ", @max(st), " ", calls) }
END
echo 'end: 12 12 18 6 5' >>values
echo "$n forms"
test $n -ge 40 || fail "only $n forms"

# What ends by a budget: the turn of a loop and each statement in it is one action. No `try` catches that.
cat >limits.stp <<'END'
global n, m
function endless(v) { while (v) v++ }
probe kernel.function("null_lseek").call {
	if (execname() != "calls") next
	if ($offset == 1) while (1) n++
	if ($offset == 2) for (;;) ;
	if ($offset == 3) for (i = 0; i < 1000; i++) for (j = 0; j < 1000; j++) m++
	if ($offset == 4) try { while (1) n++ } catch { println("impossible") }
	if ($offset == 5) endless(1)
	if ($offset == 6) { for (i = 0; i < 400; i++) m = i; println("6: ", m) }
	if ($offset == 7) try { endless(1) } catch { println("impossible") }
}
probe end { println("end: ", n > 900 && n <= 1000) }
END
# A BPF program has a bound of turns, where MAXACTION would let a loop go on.
cat >turns.stp <<'END'
probe kernel.function("null_lseek").call {
	if (execname() != "calls") next
	if ($offset == 1) { for (i = 0; i < 8388606; i += $orig) ; println(i) }
	if ($offset == 2) { for (i = 0; i < 8388610; i += $orig) ; println("impossible") }
	if ($offset == 3) println("3")
}
END
for release in $(kernels); do
	bpf_session forms -w -DMAXACTION=1000000 -c ./calls forms.stp
	session module -w -DMAXACTION=1000000 -c ./calls forms.stp
	bpf_session limits -w -DMAXACTION=1000 -DMAXERRORS=100 -c ./calls limits.stp
	session limits_module -w -DMAXACTION=1000 -DMAXERRORS=100 -c ./calls limits.stp
	bpf_session turns -DMAXACTION=2000000000 -DMAXERRORS=100 -c ./calls turns.stp
	boot
	result forms
	expect <values
	result module
	expect <values
	result limits_module
	mv err module.err
	result limits
	printf '%s\n' '6: 399' 'end: 1' | expect
	test "$(grep -c '^ERROR: MAXACTION exceeded; raise -DMAXACTION near keyword ' err)" = 6 || fail "not six budgets used up on $release"
	cmp -s module.err err || { diff module.err err; fail "not what a module says on $release"; }
	result turns
	printf '%s\n' 8388606 3 | expect
	said '^ERROR: a loop took 8388608 turns, the most that a BPF program can; .* near keyword .for. at turns.stp:4:22'
done
