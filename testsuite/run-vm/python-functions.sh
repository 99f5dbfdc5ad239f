#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Functions of Python programs: each call and each return once, whatever the function is; values, stacks, SystemTap's example.
. "$SRCDIR/testsuite/lib/process.sh"
need_native

ls "$BUILDDIR"/python/HelperSDT/_ktap*.so >/dev/null 2>&1 ||
	{ echo "ktap was built without python3-dev or systemtap-sdt-dev"; exit 77; }
extension=$(echo "$BUILDDIR"/python/HelperSDT/_ktap*.so)
python=/usr/bin/python3
examples=/usr/share/systemtap/examples/general # of systemtap-doc
cp "$SRCDIR"/testsuite/lib/python/*.py .

count='global calls, returns
	probe python3.module("counts").function("[!<]*").call { if (!isinstr(python_function(), "<")) calls[python_function()]++ }
	probe python3.module("counts").function("[!<]*").return { if (!isinstr(python_function(), "<")) returns[python_function()]++ }
	probe end { foreach (name+ in calls) printf("seen %s %d %d\n", name, calls[name], returns[name]) }'

for release in $(kernels); do
	session counts -c "$python -m HelperSDT counts.py" -e "$count"
	# Only what is wanted leaves the extension.
	session few -c "$python -m HelperSDT counts.py" -e "
	global marks, hits, stacks
	probe process(\"$extension\").mark(\"call\") { marks++ }
	probe python3.module(\"counts\").function(\"Shop.*@counts.py\") { hits++ }
	probe python3.module(\"c?unts\").function(\"fib@nosuch.py\"), python3.module(\"count\").function(\"*\") { println(\"never\") }
	probe python3.module(\"counts\").function(\"Shop.pay.add\") { if (!stacks++) { print(python_sprint_backtrace()) python_print_backtrace() } }
	probe end { println(\"few \", marks == hits, \" \", hits) }"
	session values -c "$python -m HelperSDT -m values" -e '
	probe python3.module("values").function("take") {
		printf("%s|%s|%s|%s|%s|%s|%s\n", $number, $text, $data, $things, $rest, $flag$, $more)
		printf("%s %s %d %s\n", python_module(), python_function(), python_line(), python_variable("later", "unset"))
	}
	probe python3.module("values").function("take").return { println($later, " returns ", $return, " at ", python_line()) }
	probe python3.module("values").function("fails") { println($$parms, "; ", $$locals, "; ", $$vars, "; ", ppfunc()) }
	probe python3.module("values").function("fails").return { println("[", $return, "] ", $$return, " ", pp()) }'
	test ! -r "$examples/pyexample.stp" ||
		session example -c "$python -m HelperSDT $examples/pyexample.py 35" "$examples/pyexample.stp" python3
	# A program that is there already, with nothing in its environment; and a place that knows no Python.
	module late -e '
	global n
	probe python3.module("late").function("tick") { if (++n == 10) { println("late ", $n != ""); exit() } }'
	in_guest "PYTHONPATH=$BUILDDIR/python $python -m HelperSDT late.py &
		until grep -q _ktap /proc/\$!/maps; do sleep 0.1; done
		\$KTAPRUN kt_late.ko >\$RESULTS/late.out 2>\$RESULTS/late.err; echo \$? >\$RESULTS/late.status; kill \$!"
	session kernel -c "$python -m HelperSDT -m values" -e '
	probe python3.module("values").function("fails") { println(@cast(task_current(), "task_struct")->tgid == pid()) }
	probe python3.module("values").function("fails").return { println(@cast(task_current(), "task_struct")->pid == tid()) }'
	session elsewhere -c true -e 'probe process.end { try { println(python_function()) } catch (e) { println("elsewhere: ", e) } }'
	boot

	result counts
	sed -n 's/^own //p' out >own
	sed -n 's/^seen //p' out >seen
	cmp -s own seen || { diff own seen; fail "the program counts '<', the probes count '>' on $release"; }
	test "$(wc -l <own)" = 17 || fail "the program did not end"
	result few
	printed '^few 1 8$' && ! grep never out || fail "an unwanted function"
	sed -n '/^Trace/p; /^  File/s/"[^"]*\//"/p' out >probed && head -n 5 probed >out
	tail -n +6 probed | cmp -s - out || fail "python_print_backtrace prints something else: $(cat probed)"
	expect <<-'STACK'
	Traceback (most recent call first):
	  File "counts.py", line 42, in add
	  File "counts.py", line 45, in pay
	  File "counts.py", line 113, in main
	  File "counts.py", line 130, in <module>
	STACK
	result values
	sed 's/ at 0x[0-9a-f]*>/>/g' out >probed && mv probed out
	xs=$(printf 'x%.0s' $(seq 100))
	first='0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, ...'
	expect <<-VALUES
	-5|"it's\\n"|b'\\x00b'|{'a': (1,), 'b': {2.5}}|(<Box object>,)|True|{'key': [None, Ellipsis]}
	values take 5 unset
	-4 returns [-5, {'a': (1,), 'b': {2.5}}] at 8
	1180591620717411303424|'$xs'...|b''|[$first]|()|None|{}
	values take 5 unset
	1180591620717411303425 returns [1180591620717411303424, [$first]] at 8
	0|'é€'|b''|[[[[<list object>]]]]|()|None|{}
	values take 5 unset
	1 returns [0, [[[<list object>]]]] at 8
	1|''|b''|[set(), frozenset(), frozenset({1}), {2}]|()|None|{}
	values take 5 unset
	2 returns [1, [set(), frozenset(), frozenset({1}), {2}]] at 8
	n=3; ; n=3; fails
	[] return= python3.module("values").function("fails").return
	VALUES
	if [ -r "$examples/pyexample.stp" ]; then
		result example
		grep -v Celsius out >probed && mv probed out
		expect <<-END
		Traceback (most recent call first):
		  File "$examples/pyexample.py", line 12, in celsius_to_farenheit
		  File "$examples/pyexample.py", line 30, in main
		  File "$examples/pyexample.py", line 34, in <module>
		celsius_to_farenheit returning
		END
	fi
	result late
	printed '^late 1$'
	result kernel
	expect <<-END
	1
	1
	END
	result elsewhere
	printed '^elsewhere: not in a probe of a function of Python$'
done
