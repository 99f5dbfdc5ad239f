#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that runs under HelperSDT does what it does under python3 alone: output, messages, exit status.
. "$SRCDIR/testsuite/lib/sh.sh"

ls "$BUILDDIR"/python/HelperSDT/_ktap*.so >/dev/null 2>&1 ||
	{ echo "ktap was built without python3-dev or systemtap-sdt-dev"; exit 77; }
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir package folder

cat >about.py <<'PY'
"""A program that tells what it sees."""
import sys
print(__name__, __doc__, __file__, __package__, __spec__ and __spec__.name, type(__loader__).__name__, sorted(globals()))
print(sys.argv, sys.path, sys.modules["__main__"].__dict__ is globals())
PY
ln -s ../about.py folder/link.py
cp about.py folder/__main__.py
cp about.py package/__main__.py
: >package/__init__.py
$python -m zipapp -o archive.pyz folder
cp about.py compiled.py
$python -c 'import py_compile; py_compile.compile("compiled.py", "compiled.pyc")'
echo 'def f(: pass' >syntax.py
printf 'x = "\351"\n' >encoding.py
printf '# coding: latin-1\nprint("\351" == chr(233))\n' >latin.py
echo 'import nosuchmodule' >import.py
echo 'def f(): g()
def g(): raise ValueError("why")
try:
    f()
except ValueError as e:
    raise KeyError(1) from e' >raises.py
echo 'import sys, atexit
atexit.register(print, "at exit")
sys.exit(3)' >exit3.py
echo 'raise SystemExit("a message")' >message.py
echo 'import sys
sys.exit()' >exit.py
echo 'import os
os._exit(7)' >exit7.py
echo 'import atexit
atexit.register(print, "at exit")
raise KeyboardInterrupt' >interrupted.py
echo 'import os, signal
os.kill(os.getpid(), signal.SIGTERM)' >killed.py
echo 'import sys
sys.excepthook = lambda *a: print("hook", a[0].__name__, a[2].tb_lineno)
1 / 0' >hook.py
echo 'import threading
def work(): raise OSError("in a thread")
threading.excepthook = lambda a: print(a.exc_type.__name__)
t = threading.Thread(target=work)
t.start()
t.join()
threading.Timer(0.1, lambda: print("later")).start()' >threads.py
echo 'import sys
print(sys.stdin.read())
print("no", file=sys.stderr)' >input.py
echo 'import sys
def f(n): return f(n + 1)
try: f(0)
except RecursionError as e: print(e)
sys.setrecursionlimit(20000)
def g(n): return n and g(n - 1)
print(g(15000))' >recursion.py
echo 'import pickle
class C: pass
print(pickle.loads(pickle.dumps(C())).__class__ is C)' >pickles.py
echo 'import multiprocessing, os
def double(n): return 2 * n
if __name__ == "__main__":
    for way in "fork", "spawn":
        with multiprocessing.get_context(way).Pool(2) as pool: print(pool.map(double, [1, 2]))' >pool.py
echo 'import cProfile, sys
def f(): pass
p = cProfile.Profile()
p.runcall(f)
print([e.code.co_name for e in p.getstats() if not isinstance(e.code, str)])
f()' >profiled.py

# alike ARGUMENT...: with and without the package.
alike()
{
	status=0 other=0
	printf 'a line' | env -u PYTHONPATH $python "$@" >out 2>err || status=$?
	printf 'a line' | env PYTHONPATH="$BUILDDIR/python" $python -m HelperSDT "$@" >out2 2>err2 || other=$?
	test $status = $other || fail "$*: status $other under HelperSDT, expected $status: $(cat err2)"
	diff out out2 || fail "$*: stdout differs under HelperSDT"
	diff err err2 || fail "$*: stderr differs under HelperSDT"
}

alike about.py one -m two
alike ./about.py
alike "$work/folder/link.py" --version
alike folder/link.py
alike folder x
alike archive.pyz -h
alike compiled.pyc
alike -m about one -c
alike -m package
alike -m nosuch
alike nosuch.py
alike package/nosuch.py
for program in syntax encoding latin import raises exit3 message exit exit7 interrupted killed hook threads input recursion \
	pickles pool profiled; do
	alike $program.py
done
alike -m raises
alike -m exit3
alike -m interrupted

# ktaprun asks for a safe path where another user could have put a package of that name. A script still imports from its directory.
mkdir planted planted/HelperSDT
echo 'print("sibling")' >planted/sibling.py
echo 'import sibling, sys
print(sys.argv)' >planted/imports.py
echo 'print("planted")' >planted/HelperSDT/__main__.py
if $python -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
	(cd planted && PYTHONSAFEPATH=ktap PYTHONPATH=$BUILDDIR/python $python -m HelperSDT imports.py a) >out 2>err || fail "no import"
	test "$(tr '\n' ' ' <out)" = "sibling ['imports.py', 'a'] " || fail "with a safe path"
fi

# Its own usage, and an interpreter that the extension is not for.
env PYTHONPATH="$BUILDDIR/python" $python -m HelperSDT >out 2>err && fail "ran nothing"
said '-m HelperSDT SCRIPT'
mkdir bare && ln -s "$SRCDIR"/python/HelperSDT bare/HelperSDT
if [ "$SRCDIR" != "$BUILDDIR" ]; then
	env PYTHONPATH=bare $python -B -m HelperSDT about.py >out 2>err && fail "ran without the extension"
	said 'the extension does not load'
fi
exit 0
