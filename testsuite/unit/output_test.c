/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files to whose names ktap adds a number: what another user may have put there is refused, and nothing waits for it. */
#include "runtime/loader/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/paths.h"
#include "testsuite/unit/tap.h"

static void put(const char *name, const char *text)
{
	FILE *f = fopen(name, "we");

	if (!f || fputs(text, f) < 0 || fclose(f))
		perror(name);
}

/* Does the file NAME hold TEXT and nothing else? */
static bool holds(const char *name, const char *text)
{
	FILE *f = fopen(name, "re");
	char got[64] = "";
	size_t n = f ? fread(got, 1, sizeof(got) - 1, f) : 0;

	if (f)
		fclose(f);
	return f && n == strlen(text) && !memcmp(got, text, n);
}

/* Opens the numbered file NAME. It is refused for a reason that contains WHY. */
static void refused(const char *name, const char *why)
{
	struct output_dir dir = { 0 };
	int fd = open_numbered(&dir, name);

	output_dir_close(&dir);
	ok(fd < 0 && strstr(output_failure(fd), why), "%s is refused: %s", name, fd < 0 ? output_failure(fd) : "it is not");
	if (fd >= 0)
		close(fd);
}

static void test_refused(void)
{
	int reader;

	mkfifo("fifo", 0600);
	refused("fifo", "not a regular file");
	reader = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	refused("fifo", "not a regular file");
	close(reader);
	mkdir("directory", 0700);
	refused("directory", "Is a directory");
	put("mine", "mine");
	if (symlink("mine", "symlink") || link("mine", "second"))
		perror("link");
	refused("symlink", "symbolic link");
	refused("second", "second hard link");
	put("theirs", "theirs");
	if (!geteuid() && !chown("theirs", 1, 1)) {
		refused("theirs", "another user");
		ok(holds("theirs", "theirs"), "the file of another user is unchanged");
	}
	ok(holds("mine", "mine"), "the file with a second name is unchanged");
}

static void test_taken(void)
{
	struct output_dir dir = { 0 };
	int fd;

	put("own", "of the session before");
	fd = open_numbered(&dir, "own");
	ok(fd >= 0 && holds("own", ""), "a file of the same user is emptied");
	close(fd);
	fd = open_numbered(&dir, "new");
	ok(fd >= 0 && holds("new", ""), "a new file is created");
	close(fd);
	output_dir_close(&dir);
}

static void test_switch(void)
{
	struct output o;

	mkfifo("out.2", 0600);
	ok(output_open_file(&o, "out", (struct rotation){ 0 }), "-o is opened");
	ok(output_switch(&o), "the next file is opened");
	output_append(&o, "one\n", 4);
	output_flush(&o);
	ok(!output_switch(&o), "a FIFO is not the next file");
	output_append(&o, "two\n", 4);
	output_flush(&o);
	ok(holds("out.1", "one\ntwo\n"), "the file before it stays open");
	output_deinit(&o);
}

/* The owner of the directory exchanges it for a link while the session runs. */
static void test_exchanged(void)
{
	struct rotation rotation = { .size = 4, .files = 2 };
	struct output o;

	mkdir("logs", 0700);
	mkdir("other", 0700);
	put("other/out.0", "other");
	ok(output_open_file(&o, "logs/out", rotation), "the first file is opened");
	output_append(&o, "one\n", 4);
	if (rename("logs", "moved") || symlink("other", "logs"))
		perror("logs");
	output_append(&o, "two\n", 4);
	output_append(&o, "six\n", 4);
	output_flush(&o);
	ok(holds("moved/out.1", "two\n") && holds("moved/out.2", "six\n"), "the next files are in the directory of the first");
	ok(access("moved/out.0", F_OK), "the oldest file is removed from it");
	ok(access("other/out.1", F_OK) && holds("other/out.0", "other"), "the other directory is unchanged");
	output_deinit(&o);
}

int main(void)
{
	char dir[] = "/tmp/ktap-output-XXXXXX";
	char command[sizeof(dir) + 16];

	alarm(60); /* instead of waiting for ever */
	if (!mkdtemp(dir) || chdir(dir)) {
		perror(dir);
		return 1;
	}
	test_refused();
	test_taken();
	test_switch();
	test_exchanged();
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	ok(!system(command), "the directory is removed");
	return tap_done();
}
