#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Members through a typedef of a structure that the unit only declares: found under the structure's name, in C and in the
# namespaces and classes of C++.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >a.c <<'END'
struct event; typedef struct event event_t; typedef const event_t *event_p; union word; typedef union word word_t;
struct nowhere; typedef struct nowhere nowhere_t;
event_t *make(void); word_t *word(void);
__attribute__((noipa)) int f(event_t *e, event_p q, word_t *w, nowhere_t *n) { return e == q && w && n; }
int main(void) { return f(make(), make(), word(), 0); }
END
cat >b.c <<'END'
typedef struct event { long first; int second; struct { int third; } in; struct event *next; } event_t;
typedef union word { int whole; char byte; } word_t;
event_t *make(void) { static event_t one; return &one; }
word_t *word(void) { static word_t one; return &one; }
END
cat >c.cc <<'END'
namespace one { class Event; struct Outer { struct Inner; }; }
class Event;
__attribute__((noipa)) int f(one::Event *a, Event *b, one::Outer::Inner *c) { return a && b && c; }
int main() { return f(nullptr, nullptr, nullptr); }
END
cat >d.cc <<'END'
class Event { public: int other; int here; } event;
namespace one { class Event { public: int there; } event; struct Outer { struct Inner; }; struct Outer::Inner { char x; int inside; } inner; }
END
${CC:-gcc} -g -O1 -o prog a.c b.c && ${CXX:-g++} -g -O1 -o prog++ c.cc d.cc || fail "cannot compile"
# reads N: the C says that memory is read N bytes behind the pointer.
ktap -p3 -e 'probe process("./prog").function("f") { println($e->second, $q->in->third, $w->byte, @cast($e, "event_t")->next->second, $e$) }'
accepted
test "$(grep -cE '\+ 8\), 4\)' out)" -ge 2 || fail "second is not read"
printed '+ 12), 4)'
ktap -p2 -e 'probe process("./prog").function("f") { println($n->x) }'
refused target-member
said "does not describe its members"
ktap -p3 -e 'probe process("./prog++").function("f") { println($a->there, $b->here, $c->inside) }'
accepted
test "$(grep -cE '\+ 4\), 4\)' out)" = 2 || fail "here and inside are not read: $(grep kt_deref out)"
ktap -p2 -e 'probe process("./prog++").function("f") {
	println(@cast(1, "one::Event")->there, @cast(1, "Event")->here, @cast(1, "one::Outer::Inner")->inside) }'
accepted
