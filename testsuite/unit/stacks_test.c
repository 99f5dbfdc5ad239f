/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which objects get tables.
 *
 * --ldd: the dynamic loader lists the libraries of a program, and runs code that the program names meanwhile. No program that others can
 * change is given to it. And an object that was met in a process that has ended gets tables by way of a later one.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "runtime/loader/stacks.h"
#include "testsuite/unit/tap.h"

static const char *program; /* that the module names */
static int n_tables;        /* that the module got */

static int fake_ioctl(int fd, unsigned int request, void *arg)
{
	const struct kt_text_request *text = arg;

	if (request == KT_IOC_TEXT)
		strcpy((char *)(unsigned long)text->buffer, program);
	else if (request == KT_IOC_OBJECT)
		n_tables++;
	return 0;
}

/* Compiles C as NAME in DIR with the options FIRST and SECOND. Returns its path. */
static const char *compile(const char *dir, const char *name, const char *c, const char *first, const char *second)
{
	const char *source = arena_printf(&program_arena, "%s/%s.c", dir, name), *path = arena_printf(&program_arena, "%s/%s", dir, name);
	const char *const argv[] = { "cc", first, second, source, "-o", path, NULL };
	struct text t = { 0 };

	text_puts(&t, c);
	if (text_write_file(&t, source) || proc_run(&(struct proc){ .argv = argv }))
		exit(99);
	text_deinit(&t);
	return path;
}

/* Makes the tables of a session with --ldd and -c COMMAND. Returns how many. */
static int tables(struct control *c, const char *command)
{
	struct stacks s;

	n_tables = 0;
	stacks_init(&s, c, command, 0, false, NULL, NULL);
	stacks_deinit(&s);
	return n_tables;
}

/* Process PID of the fake root DIR maps FILE. */
static void map(const char *dir, int pid, const char *file)
{
	const char *process = arena_printf(&program_arena, "%s/proc/%d", dir, pid);
	struct text t = { 0 };

	if (proc_run(&(struct proc){ .argv = (const char *const[]){ "mkdir", "-p", arena_printf(&program_arena, "%s/map_files", process), NULL } }))
		exit(99);
	text_printf(&t, "1000-2000 r-xp 00000000 08:01 %d %s\n", pid, file);
	if (text_write_file(&t, arena_printf(&program_arena, "%s/maps", process)) ||
	    link(file, arena_printf(&program_arena, "%s/map_files/1000-2000", process)))
		exit(99);
	text_deinit(&t);
}

/* Is there one object that was met, FILE, and did it END so? */
static bool one_met(const struct stacks *s, const char *file, enum met_end end)
{
	return s->n_met == 1 && !strcmp(s->met[0].name, file) && s->met[0].end == end;
}

static void test_ended(const struct control *session, const char *dir, const char *library)
{
	const struct loader_sys sys = { .root = arena_printf(&program_arena, "%s/root", dir), .ioctl = fake_ioctl };
	const char *text = arena_printf(&program_arena, "%s/program.c", dir);
	struct control c = *session;
	struct stacks s = { .control = &c };

	c.of = &c;
	c.sys = &sys;
	n_tables = 0;
	map(sys.root, 4, text);
	map(sys.root, 5, library);
	stacks_met(&s, 99, 0x1500, "watcher.so");
	ok(!n_tables && one_met(&s, "watcher.so", MET_GONE), "met in a process that has ended");
	stacks_met(&s, 5, 0x2500, "watcher.so");
	ok(!n_tables && one_met(&s, "watcher.so", MET_GONE), "nothing is mapped at that address");
	s.met_seconds = 1e6;
	stacks_met(&s, 5, 0x1500, "watcher.so");
	ok(!n_tables && one_met(&s, "watcher.so", MET_GONE), "nothing is looked at while that took too long");
	ok(s.passed_over == 1, "which is counted");
	s.met_seconds = 0;
	stacks_met(&s, 5, 0x1500, "watcher.so");
	ok(n_tables == 1 && one_met(&s, library, MET_GIVEN), "met again in a process that lives, it gets its tables");
	ok(s.met_since > 0 && s.met_seconds > 0, "what that took counts");
	stacks_met(&s, 5, 0x1500, "watcher.so");
	stacks_met(&s, 99, 0x1500, "watcher.so");
	ok(n_tables == 1 && one_met(&s, library, MET_GIVEN), "once, whatever ends later");
	stacks_met(&s, 4, 0x1500, "program.c");
	stacks_met(&s, 98, 0x1500, "program.c");
	ok(n_tables == 1 && s.n_met == 2 && s.met[1].end == MET_NONE, "a file that is no object never gets any");
	stacks_deinit(&s);
}

/* Maps that are never read to their end, here those of a FIFO, do not stop the session. */
static void test_held(const struct control *session, const char *dir)
{
	const struct loader_sys sys = { .root = arena_printf(&program_arena, "%s/held", dir), .ioctl = fake_ioctl };
	struct control c = *session;
	struct stacks s;

	c.of = &c;
	c.sys = &sys;
	c.info.n_objects = 0;
	map(sys.root, 6, arena_printf(&program_arena, "%s/program.c", dir));
	if (unlink(arena_printf(&program_arena, "%s/proc/6/maps", sys.root)) ||
	    mkfifo(arena_printf(&program_arena, "%s/proc/6/maps", sys.root), 0600))
		exit(99);
	alarm(30);
	stacks_init(&s, &c, NULL, 6, false, NULL, NULL);
	ok(true, "a target whose maps are held");
	stacks_met(&s, 6, 0x1500, "program.c");
	ok(one_met(&s, "program.c", MET_NONE) && s.met[0].why, "a process whose maps are held");
	stacks_deinit(&s);
	alarm(0);
}

int main(void)
{
	static const struct loader_sys sys = { .root = "", .ioctl = fake_ioctl };
	struct control c = { .vehicle = &module_vehicle, .of = &c, .sys = &sys, .fd = -1, .info = { .n_objects = 1, .stacks = KT_STACKS_USER | KT_STACKS_LIBRARIES } };
	char dir[] = "/tmp/ktap-stacks-test-XXXXXX";
	const char *mark, *watcher;

	c.n_texts[KT_TEXT_OBJECT] = 1;
	if (!mkdtemp(dir))
		return 99;
	mark = arena_printf(&program_arena, "%s/ran", dir);
	watcher = compile(dir, "watcher.so", arena_printf(&program_arena, "#include <fcntl.h>\n"
			  "unsigned la_version(unsigned v) { creat(\"%s\", 0600); return v; }\n", mark), "-shared", "-fPIC");
	program = compile(dir, "program", "int main(void) { return 0; }\n", "-O1", arena_printf(&program_arena, "-Wl,--audit=%s", watcher));
	ok(tables(&c, NULL) > 2, "a program of ours: its libraries are listed");
	ok(!unlink(mark), "which runs the code that it names");
	chmod(dir, 0777);
	ok(tables(&c, NULL) <= 2, "in a directory of all users: they are not");
	ok(access(mark, F_OK), "no code of it was run");
	ok(tables(&c, program) > 2, "as the command of -c, which is run anyway, they are");
	test_ended(&c, dir, watcher);
	test_held(&c, dir);
	control_close(&c);
	return proc_run(&(struct proc){ .argv = (const char *const[]){ "rm", "-rf", dir, NULL } }) ? 99 : tap_done();
}
