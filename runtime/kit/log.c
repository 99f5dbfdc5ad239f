/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions that talk to the session: messages, errors, the end, and the name of the probe. */
#include <linux/string.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"
#include "runtime/kit/value.h"

/* A record of KIND that holds one string. */
static __kprobes void say(struct kt_ctx *c, u32 kind, const char *text)
{
	u32 len = kt_strlen(text);
	void *at = kt_reserve(c, kind, KT_NO_PLACE, kt_string_room(len));

	if (!at)
		return;
	kt_put_string(at, text, len);
	kt_commit(c);
}

void kt_warn(const char *format, ...)
{
	char text[KT_MESSAGE_MAX];
	unsigned long flags;
	va_list args;

	va_start(args, format);
	vscnprintf(text, sizeof(text), format, args);
	va_end(args);
	local_irq_save(flags);
	kt_level_hold();
	say(&kt_level_here(KT_LEVEL_NORMAL)->c, KT_REC_WARN, text);
	kt_level_let_go();
	local_irq_restore(flags);
}

KT_ACTION(warn, say(c, KT_REC_WARN, text), const char *text)
KT_ACTION(log, say(c, KT_REC_LOG, text), const char *text)
KT_ACTION(system, say(c, KT_REC_SYSTEM, text), const char *text)
KT_ACTION(switch_file, say(c, KT_REC_SWITCH, ""))

__kprobes void kt_fn_error(struct kt_ctx *c, const char *text)
{
	kt_strpart(c->message, text, sizeof(c->message));
	kt_error(c, c->message);
}

/* Raised like an error, which leaves the handler; nobody catches or reports it. */
__kprobes void kt_fn_abort(struct kt_ctx *c)
{
	c->flags |= KT_CTX_ABORT;
	kt_error(c, "abort");
	kt_run_ask_stop(false);
}

/* This handler runs to its end. No other handler starts. */
KT_ACTION(exit, kt_run_ask_stop(false))

__kprobes void kt_fn_exit2(struct kt_ctx *c, kt_s64 status)
{
	WRITE_ONCE(kt_run.exit_code, (s32)status);
	kt_run_ask_stop(false);
}

KT_TEXT(pp, c->probe->pp)
KT_TEXT(pn, c->probe->alias ?: c->probe->pp)

/* Copies what stands between callee(", function(" or statement(" and the first @ or quote. Of a system call, the name of the
 * kernel's function. */
__kprobes void kt_fn_ppfunc(struct kt_ctx *c, char *ret, kt_u32 size)
{
	static const char *const heads[] = { "callee(\"", "function(\"", "statement(\"" };
	const char *from = NULL;

	ret[0] = 0;
	if (c->flags & KT_CTX_SYSCALL) {
		if (kt_call_function(c))
			scnprintf(ret, size, "%ps", (void *)(unsigned long)kt_call_function(c));
		return;
	}
	for (u32 i = 0; i < ARRAY_SIZE(heads) && !from; i++) {
		from = strstr(c->probe->pp, heads[i]);
		if (from)
			from += strlen(heads[i]);
	}
	if (from)
		kt_strpart(ret, from, min_t(kt_u32, size, strcspn(from, "@\"") + 1));
}
