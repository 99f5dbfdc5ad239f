/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of prctl, keyctl and ptrace: how many there are, and how each is written, depends on the first one. */
#include <linux/keyctl.h>
#include <linux/prctl.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "runtime/kit/syscall.h"

#define NAMES(table) extern const struct kt_name kt_names_##table[]
NAMES(keyring);
NAMES(ptrace_options);
NAMES(regset);
NAMES(seccomp_mode);

/* A character for each argument: x an address or bits, d a number, u one without sign, s a string, g a signal, k a key, o options
 * of ptrace, r a set of registers, m a mode of seccomp. */
struct form {
	u32 first;
	const char *arguments;
};

static const struct form prctl_forms[] = {
	{ PR_SET_PDEATHSIG, "g" }, { PR_GET_PDEATHSIG, "x" }, { PR_GET_DUMPABLE, "" }, { PR_SET_DUMPABLE, "u" }, { PR_GET_UNALIGN, "x" },
	{ PR_SET_UNALIGN, "x" }, { PR_GET_KEEPCAPS, "" }, { PR_SET_KEEPCAPS, "u" }, { PR_GET_TIMING, "" }, { PR_SET_TIMING, "u" },
	{ PR_SET_NAME, "s" }, { PR_GET_NAME, "x" }, { PR_GET_SECCOMP, "" }, { PR_SET_SECCOMP, "mx" }, { PR_CAPBSET_READ, "u" },
	{ PR_CAPBSET_DROP, "u" }, { PR_GET_TSC, "x" }, { PR_SET_TSC, "u" }, { PR_GET_SECUREBITS, "" }, { PR_SET_SECUREBITS, "x" },
	{ PR_SET_TIMERSLACK, "u" }, { PR_GET_TIMERSLACK, "" }, { PR_TASK_PERF_EVENTS_DISABLE, "" }, { PR_TASK_PERF_EVENTS_ENABLE, "" },
	{ PR_SET_CHILD_SUBREAPER, "u" }, { PR_GET_CHILD_SUBREAPER, "x" }, { PR_GET_TID_ADDRESS, "x" }, { 0, NULL }
};

static const struct form keyctl_forms[] = {
	{ KEYCTL_GET_KEYRING_ID, "kd" }, { KEYCTL_JOIN_SESSION_KEYRING, "s" }, { KEYCTL_UPDATE, "kxu" }, { KEYCTL_REVOKE, "k" },
	{ KEYCTL_CHOWN, "kdd" }, { KEYCTL_SETPERM, "kx" }, { KEYCTL_DESCRIBE, "kxu" }, { KEYCTL_CLEAR, "k" }, { KEYCTL_LINK, "kk" },
	{ KEYCTL_UNLINK, "kk" }, { KEYCTL_SEARCH, "kssk" }, { KEYCTL_READ, "kxu" }, { KEYCTL_INSTANTIATE, "kxuk" },
	{ KEYCTL_NEGATE, "kuk" }, { KEYCTL_SET_REQKEY_KEYRING, "d" }, { KEYCTL_SET_TIMEOUT, "ku" }, { KEYCTL_ASSUME_AUTHORITY, "k" },
	{ KEYCTL_GET_SECURITY, "kxu" }, { KEYCTL_SESSION_TO_PARENT, "" }, { KEYCTL_REJECT, "kudk" }, { KEYCTL_INVALIDATE, "k" },
	{ KEYCTL_GET_PERSISTENT, "dk" }, { 0, NULL }
};

/* Of the two after the process. */
static const struct form ptrace_forms[] = {
	{ PTRACE_CONT, "xg" }, { PTRACE_SINGLESTEP, "xg" }, { PTRACE_SYSCALL, "xg" }, { PTRACE_DETACH, "xg" }, { PTRACE_SETOPTIONS, "xo" },
	{ PTRACE_SEIZE, "xo" }, { PTRACE_GETREGSET, "rx" }, { PTRACE_SETREGSET, "rx" }, { 0, NULL }
};

/* The character of the argument AT, from 0: 0 when there is none, x when the first argument is unknown. */
static __kprobes char form_of(const struct kt_hit *hit, const struct form *forms, u32 at)
{
	u32 first = (u32)kt_hit_argument(hit, 0);

	for (; forms->arguments; forms++)
		if (forms->first == first)
			return at < strlen(forms->arguments) ? forms->arguments[at] : 0;
	return 'x';
}

static __kprobes void show_form(struct kt_show *s, u64 value, u32 n, char form)
{
	switch (form) {
	case 'd':
		kt_show_int(s, (u64)(s64)(s32)value, n);
		break;
	case 'u':
		kt_show_unsigned(s, value, n);
		break;
	case 's':
		kt_show_string(s, value, n);
		break;
	case 'g':
		kt_show_signal(s, (u64)(s64)(s32)value, n);
		break;
	case 'k':
		kt_show_name_in(s, kt_names_keyring, (u64)(s64)(s32)value);
		break;
	case 'o':
		kt_show_flags_in(s, kt_names_ptrace_options, value, false);
		break;
	case 'r':
		kt_show_name_in(s, kt_names_regset, value);
		break;
	case 'm':
		kt_show_name_in(s, kt_names_seccomp_mode, value);
		break;
	default:
		kt_show_hex(s, value, n);
	}
}

__kprobes bool kt_form_passes(const struct kt_hit *hit, u32 n)
{
	const struct kt_kind *kind = hit->call->kinds[n];

	if (kind->show == kt_show_prctl_arg)
		return form_of(hit, prctl_forms, n - 1);
	return kind->show != kt_show_keyctl_arg || form_of(hit, keyctl_forms, n - 1);
}

__kprobes void kt_show_prctl_arg(struct kt_show *s, u64 value, u32 n)
{
	show_form(s, value, n, form_of(s->hit, prctl_forms, n - 1));
}

__kprobes void kt_show_keyctl_arg(struct kt_show *s, u64 value, u32 n)
{
	show_form(s, value, n, form_of(s->hit, keyctl_forms, n - 1));
}

__kprobes void kt_show_ptrace_arg(struct kt_show *s, u64 value, u32 n)
{
	show_form(s, value, n, form_of(s->hit, ptrace_forms, n - 2));
}

#undef NAMES
