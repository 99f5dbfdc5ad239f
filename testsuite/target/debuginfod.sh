#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debugging information of programs, modules and kernels from a debuginfod server, by build-id; a server that has none, one that
# does not answer, and none at all. And what is found without any: by .gnu_debuglink.
set -eu
. "$SRCDIR/testsuite/lib/sh.sh"
ldconfig -p 2>/dev/null | grep -q 'libdebuginfod.so.1' || { echo "no libdebuginfod.so.1"; exit 77; }
python3 -c 'import http.server' 2>/dev/null || { echo "no python3"; exit 77; }
command -v readelf >/dev/null && command -v objcopy >/dev/null && command -v ld >/dev/null || exit 77
unset DEBUGINFOD_URLS DEBUGINFOD_TIMEOUT
rm -rf cache home open served file.port hang.port slow.port log deaf go shown
mkdir served deaf

# One that serves a folder and notes what it was asked; one that takes connections and says nothing.
cat >server.py <<'END'
import http.server, os, socketserver, sys, threading, time
class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        with open("../log", "a") as f:
            f.write(self.path + "\n")
class Slow(http.server.BaseHTTPRequestHandler):
    def log_message(self, format, *args):
        pass
    def do_GET(self):
        with open("." + self.path, "rb") as f:
            data = f.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:1000])
        self.wfile.flush()
        while not os.path.exists("../go"):
            time.sleep(0.1)
        self.wfile.write(data[1000:])
class Deaf(socketserver.BaseRequestHandler):
    def handle(self):
        time.sleep(60)
def start(name, handler):
    s = socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler)
    s.daemon_threads = True
    with open("../" + name + ".new", "w") as f:
        f.write(str(s.server_address[1]))
    os.rename("../" + name + ".new", "../" + name)
    threading.Thread(target=s.serve_forever, daemon=True).start()
os.chdir("served")
start("hang.port", Deaf)
start("slow.port", Slow)
start("file.port", Files)
time.sleep(300)
END
python3 server.py >/dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in $(seq 300); do
	test -e file.port && break
	sleep 0.1
done
url=http://127.0.0.1:$(cat file.port)

id() { readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p'; }

# serve FILE: under its build-id.
serve()
{
	mkdir -p "served/buildid/$(id "$1")"
	cp "$1" "served/buildid/$(id "$1")/debuginfo"
}

# with URL ARGS...: ktap asks there, and remembers nothing of before.
with()
{
	export DEBUGINFOD_URLS="$1" DEBUGINFOD_CACHE_PATH="$PWD/cache" DEBUGINFOD_TIMEOUT=2
	shift
	rm -rf cache
	ktap "$@"
	unset DEBUGINFOD_URLS
}

# ---- programs ----
echo '__attribute__((noipa)) int add(int price, int count) { return price * count; } int main(void) { return add(2, 3); }' >prog.c
cc -g -O2 -Wl,--build-id=sha1 -o whole prog.c
objcopy --only-keep-debug whole prog.debug
objcopy --strip-debug whole prog
point='process("./prog").function("add")'
ktap -L "$point"
printed 'function("add")$'
with "$url" -L "$point"
printed 'function("add")$'
test ! -s err || fail "a server that has nothing is no error"
grep -q "^/buildid/$(id prog)/debuginfo" log || fail "the server was not asked"
serve prog.debug
with "$url" -L "$point"
printed 'function("add@.*prog.c:1") $price:int $count:int$'
: >log
with " " -L "$point"
with "" -L "$point"
printed 'function("add")$'
test ! -s log || fail "a server was asked that is not named"

# What it sent is kept where nobody else can change it: in the library's cache, or in ours.
here=$PWD
with_home()
{
	rm -rf cache
	env -u XDG_CACHE_HOME -u DEBUGINFOD_CACHE_PATH HOME="$here/$1" DEBUGINFOD_URLS="$url" ${2:+"$2"} "$KTAP" -L "$point" >out 2>err || fail "$(cat err)"
	printed '$price:int $count:int$'
}
mkdir -m 700 home && mkdir -m 777 open
kept=$(id prog)/debuginfo
with_home home
test -s "home/.cache/debuginfod_client/$kept" && test ! -s err || fail "not kept in the library's cache: $(cat err)"
rm -rf home/.cache
with_home home DEBUGINFOD_CACHE_PATH=
test -s "home/.cache/debuginfod_client/$kept" && test ! -e "$kept" || fail "an empty variable is taken for the working directory"
with_home open
test -s "$KTAP_CACHE_DIR/debuginfod/$kept" && test ! -e open/.cache || fail "kept where others can change it"
rm -rf "$KTAP_CACHE_DIR/debuginfod"
with_home home "DEBUGINFOD_CACHE_PATH=$here/open/kept"
said "warning: DEBUGINFOD_CACHE_PATH is not used: '$here/open' can be written by others"
test -s "$KTAP_CACHE_DIR/debuginfod/$kept" && test ! -e open/kept || fail "kept where others can change it"
rm -rf "$KTAP_CACHE_DIR/debuginfod"

# A link is followed before a server is asked.
cp prog linked
objcopy --add-gnu-debuglink=prog.debug linked
: >log
with "$url" -L 'process("./linked").function("add")'
printed 'function("add@.*prog.c:1") $price:int $count:int$'
test ! -s log || fail "asked for what is here"
mkdir -p sub/.debug
mv linked sub
mv prog.debug sub/.debug
ktap -L 'process("./sub/linked").function("add")'
printed '$price:int $count:int$'

# The server must send what was asked for.
cc -g -O2 -Wl,--build-id=sha1 -DOTHER -o other prog.c -Wl,--defsym=another=0
mkdir -p "served/buildid/$(id prog)"
cp other "served/buildid/$(id prog)/debuginfo"
with "$url" -L "$point"
printed 'function("add")$'

# One that does not answer: within seconds, once for all that is asked, and the session goes on with what is here.
cp prog prog2
printf 'int x;\n' | cc -g -O2 -Wl,--build-id=sha1 -shared -o second.so -x c - -Wl,-soname,second
objcopy --strip-debug second.so
begin=$(date +%s)
with "http://127.0.0.1:$(cat hang.port)" -p2 -e "probe $point { } probe process(\"./second.so\").function(\"*\")? { }"
accepted
test $(($(date +%s) - begin)) -lt 20 || fail "it waits for a server that does not answer"
test "$(grep -c 'from debuginfod' err)" = 1 || fail "one warning is expected"
said 'DEBUGINFOD_TIMEOUT is 2 seconds'
with http://127.0.0.1:1 -p2 -e "probe $point { }"
accepted

# A slow one: a terminal shows how far it is, and a signal ends the download and leaves nothing.
serve sub/.debug/prog.debug
slow=http://127.0.0.1:$(cat slow.port)
export DEBUGINFOD_URLS="$slow" DEBUGINFOD_CACHE_PATH="$PWD/cache" DEBUGINFOD_TIMEOUT=600
rm -rf cache
"$KTAP" -L "$point" >out 2>err &
until find cache -name 'debuginfo.*' 2>/dev/null | grep -q .; do
	kill -0 $! || fail "it did not wait for the slow server: $(cat err)"
	sleep 0.1
done
kill -TERM $!
status=0
wait $! || status=$?
test "$status" = 143 || fail "status $status after a signal"
test ! -s err || fail "in a pipe it says: $(cat err)"
left=$(find cache -name 'debuginfo*' -type f)
test -z "$left" || fail "left behind: $left"
if command -v script >/dev/null; then
	rm -rf cache
	: >shown
	# The name of the program has an escape sequence, which the terminal does not get.
	escape=$(printf 'p\033[31mg')
	cp prog "$escape"
	TERM=xterm script -qfec "'$KTAP' --color=never -L 'process(\"./$escape\").function(\"add\")' >out" /dev/null >shown </dev/null &
	until grep -qF 'ktap: downloading debuginfo of p.[31mg, 0 of 1 MB: ' shown; do
		kill -0 $! || fail "nothing says that it downloads: $(cat -v shown)"
		sleep 0.1
	done
	: >go
	wait $!
	printed 'function("add@.*prog.c:1") $price:int $count:int$'
fi
unset DEBUGINFOD_URLS

# ---- modules, kernels ----
# A kernel without debugging information here.
R=
for dir in /lib/modules/*; do
	r=${dir##*/}
	test -n "$(image "$r")" || continue
	case $r in *-ktap*) continue ;; esac # a debug kernel is built with debugging information
	test -e "/usr/lib/debug/boot/vmlinux-$r" || test ! -d "$dir/build" || R=$r
done
test -n "$R" || { echo "no kernel without debugging information: not tested on kernels"; exit 0; }
echo 'int truth(int price, int count) { return price * count; }' >m.c
cc -g -O2 -c -fno-pic m.c
ld -r --build-id=sha1 -o wholem.ko m.o
mkdir -p ko
objcopy --strip-debug wholem.ko ko/wholem.ko
ktap -r "$R" -L "module(\"$PWD/ko/wholem.ko\").function(\"truth\")"
refused no-debuginfo
serve wholem.ko
with "$url" -r "$R" -L "module(\"$PWD/ko/wholem.ko\").function(\"truth\")"
printed 'function("truth@.*m.c:1") $price:int $count:int$'

# What is served for the kernel is a program of that build-id whose banner is the image's.
: >log
with "$url" -r "$R" --debuginfo=dwarf -L 'kernel.function("vfs_read")'
refused no-debuginfo
id=$(sed -n 's|^/buildid/\([0-9a-f]*\)/debuginfo|\1|p' log | head -n 1)
test -n "$id" || fail "the server was not asked for the kernel's"
banner=$(strings -n 20 "$(image "$R")" | sed -n 's/^[0-9][^ ]* (.*\(#[0-9]* SMP.*\)$/\1/p' | head -n 1)
cat >vmlinux.c <<END
const char banner[] = "$banner";
__attribute__((noipa)) long vfs_read(int fetched) { return fetched + banner[1]; }
void _start(void) { vfs_read(1); }
END
cc -g -O2 -nostdlib -static -Wl,--build-id="0x$id" -o vmlinux.fake vmlinux.c
serve vmlinux.fake
with "$url" -r "$R" -L 'kernel.function("vfs_read")'
printed 'vfs_read@.*vmlinux.c:2") $fetched:int$'
# BTF that was asked for is not fetched.
: >log
with "$url" -r "$R" --debuginfo=btf -L 'kernel.function("vfs_read")'
printed '$file:struct file\*'
test ! -s log || fail "a server was asked for BTF"
