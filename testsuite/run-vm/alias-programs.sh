#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Aliases on the marks of programs: functions of Python, passes of SystemTap's own translator.
. "$SRCDIR/testsuite/lib/process.sh"

for program in /usr/bin/python3 /usr/bin/stap; do
	readelf -n "$program" 2>/dev/null | grep -q 'Name: \(function__entry\|pass1a__start\)$' ||
		{ echo "$program has no marks, or is not installed"; exit 77; }
done
cat >lines.py <<'END'
def inner(n):
    return n

def outer(n):
    m = inner(n)
    return m + 1

def numbers():
    yield 1

outer(1)
g = numbers()
next(g)
g.close()
END
for release in $(kernels); do
	session python -c '/usr/bin/python3 lines.py' -e '
	function mine(file, name) { return isinstr(file, "lines.py") && name != "<module>" }
	probe python.function.entry { if (mine(filename, funcname)) println("entry ", funcname, " ", lineno) }
	probe python.function.return { if (mine(filename, funcname)) println("return ", funcname, " ", lineno) }'
	# It stops behind pass 1: of the others only the clean-up comes, which removes the folder by a command.
	session stap -c "stap -r $release -p1 -e 'probe begin { }'" -e '
	global first, spawned
	function step(name, session) { println("step ", name, " ", session != 0 && session == first) }
	probe stap.pass0 { first = session; step("0", session) }
	probe stap.pass0.end { step("0.end", session) }
	probe stap.pass1a { step("1a", session) }
	probe stap.pass1b { step("1b", session) }
	probe stap.pass1.end { step("1.end", session) }
	probe stap.pass2, stap.pass2.end, stap.pass3, stap.pass3.end, stap.pass4, stap.pass4.end, stap.pass5, stap.pass5.end {
		step("too far", session)
	}
	probe stap.cache_get, stap.cache_add_mod, stap.cache_add_src { println("step cache ", source_path) }
	probe stap.cache_get { println("step cache ", module_path) }
	probe stap.cache_add_mod, stap.cache_add_src { println("step cache ", dest_path) }
	probe stap.cache_clean { println("step cache ", path) }
	probe stap.pass6 { step("6", session) }
	probe stap.pass6.end { step("6.end", session) }
	probe stap.system { println("step ", tokenize(command, " ")) }
	probe stap.system.spawn { println("step spawn ", ret); spawned = pid }
	probe nd_syscall.exit_group { if (spawned && pid() == spawned) println("step child") }
	probe stap.system.return { println("step return ", ret) }'
	boot
	result python
	# CPython 3.11 passes the mark of entries only where an exception enters a generator: close() does that at its yield.
	printed '^entry numbers 9$'
	grep -E '(inner|outer) ' out | grep '^return' >returns && mv returns out
	expect <<-'END'
	return inner 2
	return outer 6
	END
	result stap
	grep '^step' out >steps && mv steps out
	expect <<-'END'
	step 0 1
	step 0.end 1
	step 1a 1
	step 1b 1
	step 1.end 1
	step 6 1
	step 6.end 1
	step rm
	step spawn 0
	step child
	step return 0
	END
done
