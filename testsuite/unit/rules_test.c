/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/module-rules.h: panic_on_taint and lockdown, from the kernel's command line and the files of a directory that stands for the root. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/module-rules.h"
#include "testsuite/unit/tap.h"

static char root[PATH_MAX];

static const struct {
	const char *line, *tainted, *lsm, *lockdown; /* the files; NULL: there is none */
	unsigned long fatal;
	const char *boot, *level;
	bool hidden;
} rows[] = {
	{ "ro panic_on_taint=0x1000 quiet\n", "0\n", "", NULL, 0x1000, NULL, NULL, false },
	{ "panic-on-taint=3000,nousertaint", "0\n", "", NULL, 0x3000, NULL, NULL, false },
	{ "panic_on_taint=2000", "1\n", "", NULL, 0x2000, NULL, NULL, false },
	{ "panic_on_taint=0x200", "0\n", "", NULL, 0, NULL, NULL, false },
	/* Any flag that is set anew makes the kernel look at all of them. */
	{ "panic_on_taint=0x200", "512\n", "", NULL, 0x200, NULL, NULL, false },
	{ "panic_on_taint=0x1000 panic_on_taint=0x1", "0\n", "", NULL, 0, NULL, NULL, false },
	{ "\"panic_on_taint=0x1000\" panic_on_tainted=1", NULL, "", NULL, 0x1000, NULL, NULL, false },
	{ "panic_on_taint=\"0x1000\"", "0\n", "", NULL, 0x1000, NULL, NULL, false },
	{ "quiet -- panic_on_taint=0x1000 lockdown=integrity", "0\n", NULL, NULL, 0, NULL, NULL, true },
	{ "xpanic_on_taint=1000 panic_on_taint", "4096\n", "", NULL, 0, NULL, NULL, false },
	{ NULL, NULL, NULL, NULL, 0, NULL, NULL, true },
	{ "lockdown=integrity\n", "0\n", NULL, NULL, 0, "integrity", NULL, true },
	{ "lockdown=integrity", "0\n", "", "none [integrity] confidentiality\n", 0, "integrity", "integrity", false },
	{ "quiet", "0\n", "", "[none] integrity confidentiality\n", 0, NULL, NULL, false },
	{ "quiet", "0\n", NULL, "none integrity [confidentiality]\n", 0, NULL, "confidentiality", false },
};

/* Makes the file PATH below root, or removes it. */
static void file(const char *path, const char *text)
{
	_cleanup_free_ char *full = xasprintf("%s%s", root, path);
	FILE *f;

	unlink(full);
	if (!text)
		return;
	f = fopen(full, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(99);
}

int main(void)
{
	static const char *const dirs[] = { "", "/proc", "/proc/sys", "/proc/sys/kernel", "/sys", "/sys/kernel", "/sys/kernel/security" };
	static const char template[] = "/tmp/ktap-rules.XXXXXX";

	memcpy(root, template, sizeof(template));
	if (!mkdtemp(root))
		return 99;
	for (size_t i = 1; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		_cleanup_free_ char *dir = xasprintf("%s%s", root, dirs[i]);

		mkdir(dir, 0700);
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct module_rules rules;
		_cleanup_free_ char *panic = NULL;

		file("/proc/cmdline", rows[i].line);
		file("/proc/sys/kernel/tainted", rows[i].tainted);
		file("/sys/kernel/security/lsm", rows[i].lsm);
		file("/sys/kernel/security/lockdown", rows[i].lockdown);
		module_rules_read(&rules, root);
		panic = module_rules_panic(&rules);
		is_int(rules.fatal_taint, rows[i].fatal, rows[i].line ? rows[i].line : "no file");
		ok(!panic == !rows[i].fatal, "a panic is foreseen or not");
		is_str(rules.boot_lockdown ? rules.boot_lockdown : "", rows[i].boot ? rows[i].boot : "", "lockdown of the boot");
		is_str(rules.lockdown ? rules.lockdown : "", rows[i].level ? rows[i].level : "", "lockdown");
		is_int(rules.hidden, rows[i].hidden, "hidden");
		module_rules_deinit(&rules);
	}
	file("/proc/cmdline", NULL);
	file("/proc/sys/kernel/tainted", NULL);
	file("/sys/kernel/security/lsm", NULL);
	file("/sys/kernel/security/lockdown", NULL);
	for (size_t i = sizeof(dirs) / sizeof(dirs[0]); i--;) {
		_cleanup_free_ char *dir = xasprintf("%s%s", root, dirs[i]);

		rmdir(dir);
	}
	return tap_done();
}
