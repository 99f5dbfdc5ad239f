/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readers without rights: one that crashes, spins, waits, lies or tries to do what it may not costs its object the tables and nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "runtime/loader/apart.h"
#include "runtime/loader/reading.h"
#include "testsuite/unit/tap.h"

static const struct apart_limits patient = { .seconds = 60 }, short_time = { .seconds = 0.5 };

static const char *run(apart_fn *fn, const struct apart_limits *limits)
{
	struct libraries l = { 0 };
	struct object o;
	const char *wrong = apart_read(&o, fn, NULL, "name", &l, limits, NULL, NULL);

	if (!wrong)
		object_deinit(&o);
	return wrong ? wrong : "";
}

/* ---- what a reader may not do ---- */

static const char *open_file(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	apart_drop_rights(a);
	return open("/etc/passwd", O_RDONLY) < 0 && errno == EACCES ? "refused" : "opened";
}

static const char *make_socket(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	apart_drop_rights(a);
	return socket(AF_INET, SOCK_STREAM, 0) < 0 ? "refused" : "made";
}

static const char *make_process(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	apart_drop_rights(a);
	return fork() < 0 ? "refused" : "made";
}

static const char *signal_parent(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	apart_drop_rights(a);
	return kill(getppid(), 0) < 0 ? "refused" : "done";
}

static const char *map_code(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	apart_drop_rights(a);
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? "refused" : "mapped";
}

static const char *map_file(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	apart_drop_rights(a);
	return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, a->channel, 0) == MAP_FAILED ? "refused" : "mapped";
}

static const char *use_descriptors(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	for (int fd = 0; fd < 200; fd++)
		if (fd != a->channel && fcntl(fd, F_GETFD) >= 0)
			return "inherited";
	return "none";
}

static const char *much_memory(struct apart *a, struct object *o, const void *arg)
{
	static char *volatile at;

	(void)o, (void)arg;
	apart_drop_rights(a);
	for (int gigabytes = 0; gigabytes < 16; gigabytes++) {
		at = malloc(1ul << 30);
		if (!at)
			return "limited";
	}
	return "unlimited";
}

/* What it may: memory, and the words that come back. */
static const char *behave(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	apart_drop_rights(a);
	for (size_t size = 1; size < 64ul << 20; size *= 2) {
		char *volatile at = malloc(size);

		at[size - 1] = 1;
		at = realloc(at, 3 * size);
		if (size % 3)
			free(at);
	}
	return "behaved";
}

/* ---- how a reader fails ---- */

static const char *crash(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	apart_drop_rights(a);
	*(volatile int *)arg = 1;
	return NULL;
}

static const char *spin(struct apart *a, struct object *o, const void *arg)
{
	static volatile bool for_ever = true;

	(void)o, (void)arg;
	apart_drop_rights(a);
	while (for_ever)
		;
	return NULL;
}

/* As a file does that a process serves (FUSE): it never opens. */
static const char *wait_for_ever(struct apart *a, struct object *o, const void *arg)
{
	(void)a, (void)o, (void)arg;
	while (pause())
		;
	return NULL;
}

/* ---- lies ---- */

static const char *no_tables(struct apart *a, struct object *o, const void *arg)
{
	(void)a, (void)arg;
	*o = (struct object){ .block = calloc(1, 100), .size = 100 };
	return NULL;
}

static const char *huge_tables(struct apart *a, struct object *o, const void *arg)
{
	(void)a, (void)arg;
	*o = (struct object){ .block = calloc(1, 100), .size = 1ul << 62 };
	return NULL;
}

static const char *other_name(struct apart *a, struct object *o, const void *arg)
{
	(void)a, (void)arg;
	return object_read_vdso(o); /* good tables, of "vdso" */
}

static const char *noise(struct apart *a, struct object *o, const void *arg)
{
	char bytes[4096];

	(void)o, (void)arg;
	memset(bytes, 0x5a, sizeof(bytes));
	for (int i = 0; i < 1000; i++)
		if (write(a->channel, bytes, sizeof(bytes)) < 0)
			break;
	return NULL;
}

static const char *late_file(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	apart_send_file(a, 0);
	apart_send_file(a, 0);
	return NULL;
}

static const char *wants_libraries(struct apart *a, struct object *o, const void *arg)
{
	(void)o, (void)arg;
	a->libraries->wanted = ~0u;
	return NULL;
}

/* ---- the parent ---- */

static bool always(void *data)
{
	++*(int *)data;
	return true;
}

static void check_refusals(void)
{
	static const struct {
		apart_fn *fn;
		const char *name;
	} cases[] = {
		{ make_socket, "a reader is killed that makes a socket" }, { make_process, "one that makes a process" },
		{ signal_parent, "one that signals its parent" }, { map_code, "one that maps code" }, { map_file, "one that maps a file" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(run(cases[i].fn, &patient), "its reader crashed or used too much time or memory", cases[i].name);
	is_str(run(open_file, &patient), "refused", "a reader opens no file");
	is_str(run(use_descriptors, &patient), "none", "a reader inherits no descriptor");
	is_str(run(much_memory, &patient), "limited", "a reader gets 4 GB at most");
	is_str(run(behave, &patient), "behaved", "a reader that uses memory ends well");
}

static void check_failures(void)
{
	struct apart_limits impatient = { .over = always, .seconds = 60 };
	double began = clock_seconds();
	int asked = 0;

	is_str(run(crash, &patient), "its reader crashed or used too much time or memory", "a reader that crashes");
	is_str(run(spin, &short_time), "reading it takes too long", "one that spins");
	is_str(run(wait_for_ever, &short_time), "reading it takes too long", "one that waits");
	impatient.data = &asked;
	is_str(run(wait_for_ever, &impatient), "the session ends", "a session that ends waits for none");
	ok(asked == 1, "it was asked");
	ok(clock_seconds() - began < 50, "none of them was waited for");
	ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "none is left");
}

static void check_lies(void)
{
	static const struct {
		apart_fn *fn;
		const char *name;
	} cases[] = {
		{ no_tables, "a reader that sends no tables" }, { huge_tables, "one that sends too many of them" }, { other_name, "one that sends tables of another object" },
		{ noise, "one that sends noise" }, { late_file, "one that sends a second file" }, { wants_libraries, "one that wants the same library again" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(run(cases[i].fn, &patient), "its reader broke off", cases[i].name);
}

static void check_file(void)
{
	const struct reading r = { "/proc/self/exe", "name", true }, none = { "/nonexistent", "name", true }, fifo = { "/dev/null", "name", true };
	struct libraries l = { 0 };
	struct object o;
	int fd;

	ok(!reading_make(&o, &r, &l, &patient, &fd), "tables of this program");
	ok(o.size > 1000 && fd >= 0, "they are there, and so is its file");
	object_deinit(&o);
	close(fd);
	is_str(reading_make(&o, &none, &l, &patient, &fd), "No such file or directory", "a file that is not there");
	ok(fd < 0, "has no descriptor");
	is_str(reading_make(&o, &fifo, &l, &patient, &fd), "it is not a regular file", "a device");
}

int main(void)
{
	check_refusals();
	check_failures();
	check_lies();
	check_file();
	return tap_done();
}
