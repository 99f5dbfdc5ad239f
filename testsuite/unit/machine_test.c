/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader/machine.c: which session ends when all together take too much of a CPU, and what files of no form of ours say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "runtime/loader/machine.h"
#include "testsuite/unit/tap.h"

static char root[] = "/tmp/machine_test-XXXXXX";
static FILE *modules;
static kt_u32 own_load = 300;

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		ok(0, "cannot write %s", path);
}

static void begin(void)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/proc/modules", root);
	modules = fopen(path, "w");
}

/* A module NAME with the text LOAD in its file; NULL: it is not ours. */
static void module(const char *name, const char *load)
{
	static const char *const parts[] = { "", "/parameters" };
	char path[512];

	fprintf(modules, "%s 16384 1 - Live 0x0000000000000000 (OE)\n", name);
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/sys/module/%s%s", root, name, parts[i]);
		mkdir(path, 0755);
	}
	snprintf(path, sizeof(path), "%s/sys/module/%s/parameters/ktap_load", root, name);
	if (load)
		put(path, load);
}

/* Returns at which look, a second apart, the session of module NAME has to end; 0: at none of six. */
static int ends_at(const char *name, const char *said)
{
	const struct loader_sys sys = { .root = root };
	struct machine_watch w = { 0 };
	int at = 0;

	if (modules)
		fclose(modules);
	modules = NULL;
	for (int look = 1; look <= 6 && !at; look++) {
		struct text reason = { 0 };

		if (machine_is_over(&w, &sys, name, own_load, look * 1.5, &reason))
			at = look;
		if (at && said)
			ok(strstr(text_str(&reason), said) != NULL, "'%s' has '%s'", text_str(&reason), said);
		text_deinit(&reason);
	}
	return at;
}

int main(void)
{
	static const char *const hostile[] = {
		"", "\n", "-\n", "5", "5 \n", "5 =\n", "5 0\n", "5 0=\n", "5 0=99999999999\n", "5 -1=900\n", "5 9999999=900\n", "x 0=900\n", "5 0=-5 0=900\n",
		"99999999999999999999999999 1=1\n",
	};
	char path[256], command[64];
	static char many[70000] = "9";

	if (!mkdtemp(root))
		return 1;
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", root, (const char *const[]){ "proc", "sys", "sys/module" }[i]);
		mkdir(path, 0755);
	}
	begin();
	module("ext4", NULL);
	module("a", "100 0=420 1=30\n");
	is_int(ends_at("a", NULL), 0, "a session alone is its own guard's");
	begin();
	module("a", "100 0=420 1=30\n");
	module("b", "300 1=420\n");
	is_int(ends_at("b", NULL), 0, "450 of 1000 are allowed, on CPU 1");
	begin();
	module("a", "100 0=420\n");
	module("b", "300 0=420 1=10\n");
	module("c", "200 0=420\n");
	module("d", "400 1=300\n");
	is_int(ends_at("b", "handlers of 3 sessions take 126.0 % of CPU 0 together, at most 50 % are allowed; this one, 'b', is the newest and ends; "
			    "the others: 'a' 42.0 %, 'c' 42.0 %"), 3, "the newest of those on the CPU ends at the third look");
	is_int(ends_at("c", NULL), 0, "not an older one");
	is_int(ends_at("d", NULL), 0, "nor a newer one on another CPU");
	is_int(ends_at("nosuch", NULL), 0, "nor one that publishes nothing");
	begin();
	module("a", "100 0=420\n");
	module("b", "100 0=420\n");
	is_int(ends_at("b", NULL), 3, "of the same time, the one with the later name");
	is_int(ends_at("a", NULL), 0, "and that one only");
	own_load = 9;
	is_int(ends_at("b", NULL), 0, "a session below 1 % does not look");
	own_load = 300;
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		begin();
		module("a", "100 0=420\n");
		module("b", hostile[i]);
		is_int(ends_at("a", NULL), 0, "a file of another form is no load");
		is_int(ends_at("b", NULL), 0, "and the session that wrote it goes on");
	}
	begin();
	for (int i = 0; i < 1000; i++)
		snprintf(many + strlen(many), sizeof(many) - strlen(many), " %d=10", i);
	for (int i = 0; i < 300; i++) {
		char name[32];

		snprintf(name, sizeof(name), "m%03d", i);
		module(name, i ? "100 0=10\n" : many);
	}
	is_int(ends_at("m255", NULL), 3, "many small loads are a large one");
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) || tap_done();
}
