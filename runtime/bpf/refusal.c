/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One errno has several causes: /proc and /sys show which of them holds. Of the verifier's log, the last number of an instruction is the place,
 * and the last line but one the reason.
 */
#include "runtime/bpf/refusal.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/bpf-rules.h"
#include "lib/diag.h"
#include "runtime/bpf/kernel.h"
#include "runtime/errors.h"

enum { LOG_SHOWN = 256 << 10 };

static void say_other_vehicle(void)
{
	note(nowhere, "--runtime=kernel, which loads a module, can run the script");
}

/* ---- rights ---- */
static void explain_rights(const struct module_rules *rules)
{
	const char *why = bpf_rules_kernel(rules, "");

	if (!why) {
		note(nowhere, "a security module (SELinux, AppArmor) or a seccomp filter may forbid bpf(2) or perf_event_open(2): look at the end of "
			      "dmesg and at the audit log");
		return;
	}
	note(nowhere, "%s", why);
	if (rules->in_namespace)
		note(nowhere, "run ktaprun as root outside of the container");
	else
		note(nowhere, "reboot with lockdown=integrity, or without lockdown");
}

static void explain(int err)
{
	struct module_rules rules;

	switch (-err) {
	case EPERM:
	case EACCES:
		module_rules_read(&rules, "");
		explain_rights(&rules);
		module_rules_deinit(&rules);
		break;
	case ENOSYS:
		note(nowhere, "this kernel is built without CONFIG_BPF_SYSCALL");
		say_other_vehicle();
		break;
	case ENOMEM:
		note(nowhere, "%llu MB of memory are available; smaller arrays take less: -DMAXMAPENTRIES=N", (unsigned long long)kernel_memory() >> 20);
		break;
	case EINVAL:
		note(nowhere, "BPF programs of ktap need Linux 5.17");
		say_other_vehicle();
		break;
	}
}

bool bpf_refused(int err, const char *fmt, ...)
{
	_cleanup_free_ char *what = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&what, fmt, ap) < 0)
		what = NULL;
	va_end(ap);
	error(nowhere, DIAG_RUN, "cannot %s: %s", what ? what : "go on", strerror(-err));
	explain(err);
	return false;
}

/* ---- the verifier ---- */
/* What to write instead of a handler of which the verifier says that. */
static const struct {
	const char *log, *help;
} remedies[] = {
	{ "program is too large", "the kernel follows at most 1,000,000 instructions on all paths through a handler: take branches out of its loops, or do "
				  "a part in a handler of timer or end" },
	{ "jumps is too complex", "the kernel follows at most 8,192 branches on a path: divide the handler, or look values up in an array instead of comparing" },
	{ "stack size of", "call fewer functions within one another, and have fewer loops in loops" },
	{ "call stack of", "call fewer functions within one another, and have fewer loops in loops" },
};

/* Returns the number of the last instruction that the log has, or -1. */
static long last_instruction(const char *log)
{
	long last = -1;

	for (const char *line = log; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		char *end;
		long n = isdigit((unsigned char)*line) ? strtol(line, &end, 10) : -1;

		if (n >= 0 && !strncmp(end, ": (", 3))
			last = n;
	}
	return last;
}

/* The reason, to be freed: the last line that is not the verifier's statistics. */
static char *reason_in(const char *log)
{
	const char *reason = "";
	size_t len = 0;

	for (const char *line = log; *line;) {
		size_t n = strcspn(line, "\n");

		if (n && strncmp(line, "processed ", 10) && strncmp(line, "verification time", 17) && strncmp(line, "stack depth", 11)) {
			reason = line;
			len = n;
		}
		line += n + (line[n] == '\n');
	}
	return xasprintf("%.*s", (int)(len && reason[len - 1] == '.' ? len - 1 : len), reason);
}

/* The place of an instruction of P; KT_NO_PLACE: none. */
static kt_u32 place_of(const struct image_file *im, const struct image_program *p, long at)
{
	const struct image_line *lines = (const struct image_line *)image_part(im, IMAGE_LINES) + p->lines;
	kt_u32 place = KT_NO_PLACE;

	for (kt_u32 i = 0; i < p->n_lines && (long)lines[i].at <= at; i++)
		place = lines[i].place;
	return place < image_count(im, IMAGE_PLACES) ? place : KT_NO_PLACE;
}

static void say_remedy(const char *log)
{
	struct module_rules rules;

	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++)
		if (strstr(log, remedies[i].log)) {
			note(nowhere, "%s", remedies[i].help);
			return;
		}
	if (strstr(log, "unknown func") || strstr(log, "cannot use helper")) {
		module_rules_read(&rules, "");
		if (bpf_rules_kernel(&rules, ""))
			explain_rights(&rules);
		else
			note(nowhere, "this kernel is too old for a function that the handler needs");
		module_rules_deinit(&rules);
		return;
	}
	note(nowhere, "the verifier does not see that the handler is safe, which is a fault of ktap: please report the script; -v prints what it said");
}

bool bpf_load_refused(const struct image_file *im, const struct image_program *p, int err, const char *log, bool verbose)
{
	const char *name = image_text(im, p->name), *tail = strlen(log) > LOG_SHOWN ? log + strlen(log) - LOG_SHOWN : log;
	_cleanup_free_ char *reason = reason_in(log);
	kt_u32 place = place_of(im, p, last_instruction(log));

	if (!*log)
		return bpf_refused(err, "load the handler of %s", name);
	if (verbose)
		fputs(tail, stderr);
	if (place == KT_NO_PLACE) {
		error(nowhere, DIAG_RUN, "the kernel refuses the handler of %s: %s", name, *reason ? reason : strerror(-err));
	} else {
		error(nowhere, DIAG_RUN, "the kernel refuses the handler of %s near %s: %s", name, image_text_of(im, IMAGE_PLACES, place),
		      *reason ? reason : strerror(-err));
		error_show_line(stderr, image_text_of(im, IMAGE_PLACES, place), image_text_of(im, IMAGE_SOURCE, place));
	}
	say_remedy(log);
	say_other_vehicle();
	return false;
}
