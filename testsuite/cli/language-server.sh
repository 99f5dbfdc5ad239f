#!/bin/sh
# ktap --language-server, asked by a scripted client: answers, positions in UTF-16, wrong messages, large documents.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap --language-server
grep -q 'built without json-c' err && { echo "built without json-c"; exit 77; }
test "$status" = 1 || fail "the end of input without shutdown is status $status"

# The value of an inlined copy is what a register held at the entry of outer().
cat >kept.c <<'EOF'
__attribute__((noipa)) void clobber(int a) { asm volatile("" ::: "memory"); }
static inline __attribute__((always_inline)) void inner(int value) { asm volatile("nop" ::: "memory"); }
__attribute__((noipa)) void outer(int value) { clobber(0); inner(value); }
int main(void) { outer(1); return 0; }
EOF
gcc -O2 -g -o kept kept.c || fail "kept.c"

cat >client.py <<'EOF'
import json, os, subprocess, sys

server = subprocess.Popen([os.environ["KTAP"], "--language-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
last_id = 0

def raw(body):
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()

def receive():
    length = 0
    while True:
        line = server.stdout.readline()
        if not line:
            sys.exit("the server has ended")
        if line == b"\r\n":
            return json.loads(server.stdout.read(length))
        if line.startswith(b"Content-Length: "):
            length = int(line[16:])

def notify(method, **params):
    raw(json.dumps(dict(jsonrpc="2.0", method=method, params=params)).encode())

def ask(method, **params):
    global last_id
    last_id += 1
    raw(json.dumps(dict(jsonrpc="2.0", id=last_id, method=method, params=params), ensure_ascii=False).encode())
    answer = receive()
    same("id of " + method, answer["id"], last_id)
    return answer.get("result") if "result" in answer else answer["error"]["code"]

def same(what, have, want):
    if have != want:
        sys.exit("%s: expected\n%s\nbut it is\n%s" % (what, want, have))

def span(line, begin, end):
    return dict(start=dict(line=line, character=begin), end=dict(line=line, character=end))

URI = "file:///home/a%20b.stp"
def at(method, line, character, **more):
    return ask("textDocument/" + method, textDocument=dict(uri=URI), position=dict(line=line, character=character), **more)

def change(text):
    notify("textDocument/didChange", textDocument=dict(uri=URI, version=2), contentChanges=[dict(text="old"), dict(text=text)])
    return published()

def published():
    message = receive()
    same("method", message["method"], "textDocument/publishDiagnostics")
    same("uri", message["params"]["uri"], URI)
    return message["params"]["diagnostics"]

# The order of a session, and what is no request.
same("before initialize", ask("textDocument/hover"), -32002)
can = ask("initialize", processId=None, rootUri=None, capabilities={})["capabilities"]
same("encoding", can["positionEncoding"], "utf-16")
same("sync", can["textDocumentSync"], 1)
for name in ("hover", "definition", "references", "rename", "documentFormatting", "documentSymbol"):
    same(name, can[name + "Provider"], True)
notify("initialized")
same("unknown method", ask("textDocument/nosuch"), -32601)
same("document that is not open", at("hover", 0, 0), -32602)
notify("$/nosuch", x=1)
for body, code in (b"{", -32700), (b"[" * 1000, -32700), (b"{}", -32600), (b"[]", -32600), (b'"x"', -32600):
    raw(body)
    same("error of %r" % body[:3], receive()["error"]["code"], code)
server.stdin.write(b"X-Length: 3\r\n\r\n")
server.stdin.flush()
same("header without length", receive()["error"]["code"], -32700)
notify("textDocument/didOpen", textDocument=7)
notify("textDocument/didChange", textDocument=dict(uri=URI), contentChanges={})
raw(json.dumps(dict(jsonrpc="2.0", id="seven", method="textDocument/hover", params=[])).encode())
same("id that is a string", receive()["id"], "seven")

# Errors as one types. The face takes two units of UTF-16, e with an accent one.
TEXT = '''global hits
# Twice a number.
function twice(n) { return 2 * n }
probe begin {
	x = 1; hits[execname()]++
	/* \U0001f600\u00e9 */ y = twice(x) + nosuch()
	println(y)
}
probe end, timer.s(1) { foreach (n in hits) println(n) }
probe my.alias = begin { x = 2 }
@define five %( 5 %)
'''
notify("textDocument/didOpen", textDocument=dict(uri=URI, languageId="systemtap", version=1, text=TEXT))
found = published()
same("diagnostics", [d["code"] for d in found], ["undef-function"])
same("range", found[0]["range"], span(5, 26, 32))
same("code", found[0]["code"], "undef-function")
same("severity", found[0]["severity"], 1)
if not found[0]["message"].startswith("no function is named 'nosuch'"):
    sys.exit("message: " + found[0]["message"])
found = change("probe begin { exit( }\n")
same("broken script", [(d["range"], d["code"]) for d in found], [(span(0, 20, 21), "syntax")])
same("formatting of a broken script", ask("textDocument/formatting", textDocument=dict(uri=URI), options={}), [])
same("arguments of a script", change("probe timer.s($1) { println(@2) exit() }\n"), [])
# The kernel's BTF is asked first, then everything is looked at again: the first look must leave nothing to the second.
found = change('probe process("%s/kept").function("inner").inline { println($value, nosuch()) }\n' % os.getcwd())
same("looked at twice", [d["message"].split("\n")[0] for d in found], ["no function is named 'nosuch'"])
TEXT = TEXT.replace(" + nosuch()", "")
same("script without errors", change(TEXT), [])

# Names.
def places(method, line, character):
    return [r["range"] for r in at(method, line, character, context=dict(includeDeclaration=True))]

same("references of a global", places("references", 4, 9), [span(0, 7, 11), span(4, 8, 12), span(8, 38, 42)])
same("of a local", places("references", 4, 1), [span(4, 1, 2), span(5, 21, 22)])
same("of a parameter", places("references", 2, 15), [span(2, 15, 16), span(2, 31, 32)])
same("of nothing", places("references", 3, 12), [])
same("definition of a function", at("definition", 5, 17)["range"], span(2, 9, 14))
library = at("definition", 4, 15)
if not library["uri"].startswith("file:///") or not library["uri"].endswith("/context.stp"):
    sys.exit("definition of execname: %s" % library)
same("definition of a local", at("definition", 5, 21)["range"], span(4, 1, 2))
edits = at("rename", 0, 8, newName="counts")["changes"][URI]
same("rename", [(e["range"], e["newText"]) for e in edits],
     [(r, "counts") for r in (span(0, 7, 11), span(4, 8, 12), span(8, 38, 42))])
for name in ("", "9", "probe", "a b"):
    same("rename to %r" % name, at("rename", 0, 8, newName=name), None)
same("rename of the library", at("rename", 4, 15, newName="x"), None)
same("hover", at("hover", 5, 16), dict(contents=dict(kind="markdown", value="```systemtap\nfunction twice(n)\n```\nTwice a number.\n"),
                                        range=span(5, 15, 20)))
manual = at("hover", 4, 15)["contents"]["value"]
if "function execname:string ()" not in manual or "name of the current task" not in manual:
    sys.exit("manual of execname: " + manual)
same("hover of nothing", at("hover", 3, 12), None)
same("symbols", [(s["name"], s["kind"]) for s in ask("textDocument/documentSymbol", textDocument=dict(uri=URI))],
     [("hits", 13), ("twice", 12), ("begin", 24), ("end, timer.s(1)", 24), ("my.alias", 11), ("five", 14)])

# Completion: each for the text before the cursor, at the end of a document.
def labels(text):
    change(text)
    lines = text.split("\n")
    return sorted(i["label"] for i in at("completion", len(lines) - 1, len(lines[-1])))

same("keyword", labels("global a\nfunc"), ["function"])
same("point", labels("probe begin, timer.jif"), ["timer.jiffies("])
same("argument of a point", labels("probe kernel.func"), ['kernel.function("'])
same("alias", labels("probe syscall.open_by"), ["syscall.open_by_handle_at"])
same("function", labels("probe begin { print_ubacktrace_f"), ["print_ubacktrace_fileline"])
same("variables", labels("global first\nprobe end { fig = 1 }\nprobe begin { figure = 1; println(fi"), ["figure", "first"])
same("operator", labels("@define histo %( 1 %)\nprobe begin { println(@hist"), ["@hist_linear", "@hist_log", "@histo"])
same("member", labels("probe begin { x->"), [])
same("in a string that is not closed", "kernel.function(" in str(labels('probe begin { println("ker')), False)

# Formatting is that of ktap fmt.
change("probe begin{exit()}")
same("formatting", ask("textDocument/formatting", textDocument=dict(uri=URI), options={}),
     [dict(newText="probe begin { exit() }\n", range=span(0, 0, 19))])

# A large document, brackets without end, a document of NULs: the server answers and stays.
same("large", change("# x\n" * 500000 + "probe begin { exit() }\n"), [])
change("probe begin { x = " + "(" * 100000)
change("\0probe\0")
notify("textDocument/didClose", textDocument=dict(uri=URI))
same("closed", published(), [])
same("hover in a closed document", at("hover", 0, 0), -32602)
same("shutdown", ask("shutdown"), None)
same("after shutdown", ask("initialize2"), -32600)
notify("exit")
same("status", server.wait(), 0)
EOF
# -D reaches the analysis of a document, and an unknown name is refused before an editor waits for answers.
cat >limit.py <<'EOF'
import json, os, subprocess
body = json.dumps(dict(jsonrpc="2.0", method="textDocument/didOpen", params=dict(textDocument=dict(
    uri="file:///a.stp", text="probe timer.s(1), timer.s(2) { exit() }"))))
server = subprocess.Popen([os.environ["KTAP"], "--language-server", "-D", "MAXPOINTS=1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
start = json.dumps(dict(jsonrpc="2.0", id=1, method="initialize"))
for message in (start, body):
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(message), message.encode()))
    server.stdin.flush()
    length = int(server.stdout.readline()[len("Content-Length: "):])
    server.stdout.readline()
    print(server.stdout.read(length).decode())
server.stdin.close()
server.wait()
EOF
# A header without end: the server says so and ends, before it has read much of it.
cat >header.py <<'EOF'
import os, subprocess
server = subprocess.Popen([os.environ["KTAP"], "--language-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
written = 0
try:
    while written < 16 << 20:
        written += os.write(server.stdin.fileno(), b"X-Name: value\r\n" * 4096)
except BrokenPipeError:
    print("ended before 16 MB")
print(server.stdout.read().decode())
EOF
export KTAP
timeout 60 python3 header.py >out 2>err </dev/null || fail "the server reads a header for ever"
printed 'ended before 16 MB'
printed 'the header does not end'
python3 limit.py >out 2>err </dev/null
printed 'stand for more than 1 probe points'
test ! -s err || fail "the server writes on standard error"
ktap --language-server -D MAXPONTS=1
refused usage
said "did you mean 'MAXPOINTS'?"

python3 client.py >out 2>err </dev/null || fail "an answer is wrong"
