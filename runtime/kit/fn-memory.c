/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on the arguments of the current program, on Unicode in memory, on the stack of the handler, and on where
 * memory is. Context: any.
 */
#include <linux/fdtable.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/nodemask.h>
#include <linux/sched/loadavg.h>
#include <linux/sched/mm.h>

#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/value.h"

/* ---- strings that the program was started with: one after the other, each with its NUL ---- */
enum {
	WORDS_MAX = 65536, /* bytes that are looked at */
	WORDS_PIECE = 64,
};

/* Goes through the bytes from AT to END. */
struct words {
	u64 at, end;
	u32 n, i;
	char piece[WORDS_PIECE];
};

static __kprobes int next_byte(struct kt_ctx *c, struct words *w)
{
	if (w->i == w->n) {
		w->n = (u32)min_t(u64, WORDS_PIECE - (w->at & (WORDS_PIECE - 1)), w->end - w->at);
		w->i = 0;
		if (!w->n || kt_read_user(c, w->piece, w->at, w->n)) {
			w->n = 0;
			return -1;
		}
		w->at += w->n;
	}
	return (u8)w->piece[w->i++];
}

static __kprobes void words_begin(struct words *w, u64 from, u64 to)
{
	*w = (struct words){ .at = from, .end = from };
	if (to > from)
		w->end += min_t(u64, to - from, WORDS_MAX);
}

/* Appends BYTE to the LEN bytes of RET; false: they fill it. */
static __always_inline bool put_byte(char *ret, u32 *len, u32 size, char byte)
{
	if (*len + 1 >= size)
		return false;
	ret[(*len)++] = byte;
	return true;
}

static __kprobes bool put_word(char *ret, u32 *len, u32 size, const char *text)
{
	for (; *text; text++)
		if (!put_byte(ret, len, size, *text))
			return false;
	return true;
}

/* Arguments FIRST to LAST, all from FIRST on if LAST is less, with DELIMITER between them. */
__kprobes void kt_fn_cmdline_args(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 first, kt_s64 last, const char *delimiter)
{
	struct mm_struct *mm = current->mm;
	struct words w;
	kt_s64 which = 0;
	u32 len = 0;
	int byte;
	bool between = false, cut = false;

	ret[0] = 0;
	if (!mm)
		return;
	words_begin(&w, mm->arg_start, mm->arg_end);
	while (!cut && (last < first || which <= last) && (byte = next_byte(c, &w)) >= 0) {
		cut = between && !put_word(ret, &len, size, delimiter);
		between = !byte && which >= first;
		if (!byte)
			which++;
		else if (which >= first && !cut)
			cut = !put_byte(ret, &len, size, (char)byte);
	}
	ret[len] = 0;
	if (cut)
		kt_string_cut();
}

__kprobes void kt_fn_env_var(struct kt_ctx *c, char *ret, kt_u32 size, const char *name)
{
	struct mm_struct *mm = current->mm;
	struct words w;
	u32 matched = 0, len = 0;
	bool lost = false, found = false, cut = false;
	int byte;

	ret[0] = 0;
	if (!mm)
		return;
	words_begin(&w, mm->env_start, mm->env_end);
	while ((byte = next_byte(c, &w)) >= 0) {
		if (!byte && found)
			break;
		if (!byte) {
			matched = 0;
			lost = false;
		} else if (found) {
			if (len + 1 < size)
				ret[len++] = (char)byte;
			else
				cut = true;
		} else if (!lost && byte == '=' && !name[matched]) {
			found = true;
		} else if (!lost && name[matched] && byte == (u8)name[matched]) {
			matched++;
		} else {
			lost = true;
		}
	}
	ret[len] = 0;
	if (cut)
		kt_string_cut();
}

/* ---- Unicode ---- */
/* CODE as UTF-8, where it fits; false: it does not, or is no character. */
static __kprobes bool put_utf8(char *ret, u32 *len, u32 size, u32 code)
{
	u32 more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;

	if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || *len + more + 1 >= size)
		return false;
	ret[(*len)++] = (char)(more ? ((0xf0 << (3 - more)) & 0xff) | code >> 6 * more : code);
	while (more-- > 0)
		ret[(*len)++] = (char)(0x80 | (code >> 6 * more & 0x3f));
	return true;
}

/* The units of WIDTH bytes at ADDRESS up to the one that is 0. */
__kprobes void kt_fn___utf(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 width, kt_s64 user)
{
	u64 at = (u64)address;
	u32 len = 0, high = 0;

	for (;;) {
		u32 code = (u32)(user ? kt_deref_user(c, at, (u32)width) : kt_deref(c, at, (u32)width));

		if (c->error || (!code && !high))
			break;
		at += (u64)width;
		if (width == 2 && !high && code >= 0xd800 && code < 0xdc00) {
			high = code;
			continue;
		}
		if (high)
			code = code >= 0xdc00 && code < 0xe000 ? 0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00) : ~0u;
		high = 0;
		if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
			kt_errorf(c, "no character of Unicode at 0x%x", (kt_s64)(at - (u64)width));
			break;
		}
		if (!put_utf8(ret, &len, size, code)) {
			kt_string_cut();
			break;
		}
	}
	ret[len] = 0;
}

/* Fills S with the byte at ADDRESS and, where it begins a character of UTF-8, what follows it of N bytes; the rest is 0. */
static __kprobes void get_character(struct kt_ctx *c, char s[5], u64 address, kt_s64 n, bool user)
{
	kt_s64 most = 1;

	memset(s, 0, 5);
	for (kt_s64 i = 0; i < min(n, most) && !c->error; i++) {
		s[i] = (char)(user ? kt_deref_user(c, address + (u64)i, 1) : kt_deref(c, address + (u64)i, 1));
		if (i == 0 && (s[0] & 0xc0) == 0xc0)
			most = 4;
		else if (i > 0 && (s[i] & 0xc0) != 0x80)
			break;
	}
}

/* N bytes in quotes, NULs like others, in ROOM bytes at most; cut as kt_quote() cuts. */
__kprobes void kt_fn___buffer_quoted(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n, kt_s64 room,
				     kt_s64 user)
{
	u32 limit = (u32)clamp_t(kt_s64, room, 5, size - 1), len = 1, cut = 1, used;
	kt_s64 i;

	ret[0] = '"';
	for (i = 0; i < n; i += used) {
		char s[5], e[10];
		u32 more;

		get_character(c, s, (u64)(address + i), n - i, user);
		more = kt_escape_character(e, s, &used);
		if (c->error || len + more + 1 > limit)
			break;
		memcpy(ret + len, e, more);
		len += more;
		if (len + 4 <= limit)
			cut = len;
	}
	strcpy(ret + (i < n ? cut : len), i < n ? "\"..." : "\"");
}

/* ---- arrays of bytes ---- */
/* An array in memory, and the 8 bytes of it that were read last. */
struct array {
	u64 address, word;
	u32 n, from; /* from: where the word begins, n: nowhere */
	bool user;
};

static __kprobes u8 array_byte(struct kt_ctx *c, struct array *a, u32 i)
{
	u32 at = i & ~7u, size = a->n - at < 8 ? 1 : 8;

	if (size == 1)
		at = i;
	if (at != a->from) {
		a->word = a->user ? kt_deref_user(c, a->address + at, size) : kt_deref(c, a->address + at, size);
		a->from = at;
	}
	return (u8)(a->word >> 8 * (i - at));
}

/* Returns the number of bytes of the character at I of the array, 0: no text has it. One of UTF-8 may be cut by the string's end. */
static __kprobes u32 array_character(struct kt_ctx *c, struct array *a, u32 i)
{
	u8 byte = array_byte(c, a, i);
	u32 used, more = 1;
	char s[5], e[10];

	if (byte < 0x80)
		return (byte >= ' ' && byte <= '~') || (byte >= '\a' && byte <= '\r') || byte == 033;
	get_character(c, s, a->address + i, a->n - i, a->user);
	kt_escape_character(e, s, &used);
	if (used > 1)
		return used;
	while (more < 4 && (s[more] & 0xc0) == 0x80)
		more++;
	return i && byte >= 0xc2 && byte < 0xf5 && more < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) && !s[more] ? more : 0;
}

/* Are the bytes of the array up to the first 0 text? *RET is where they end. HOW (enum kt_array) says which bytes may follow. */
static __kprobes bool array_is_text(struct kt_ctx *c, struct array *a, kt_s64 how, u32 *ret)
{
	u32 i = 0, more;

	for (; i < a->n && array_byte(c, a, i) && !c->error; i += more) {
		more = array_character(c, a, i);
		if (!more)
			return false;
	}
	*ret = i;
	if (i && how & KT_ARRAY_BUFFER)
		return true;
	for (; i < a->n && !c->error; i += more) {
		more = !array_byte(c, a, i) ? 1 : *ret && how & KT_ARRAY_TEXT ? array_character(c, a, i) : 0;
		if (!more)
			return false;
	}
	return true;
}

/* An array of N bytes as text or as numbers. What is longer than a string is judged by as much of it. */
__kprobes void kt_fn___array_text(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n, kt_s64 how)
{
	struct array a = { .address = address, .n = clamp_t(kt_s64, n, 0, size), .user = how & KT_ARRAY_USER };
	u32 text, len = 0;

	a.from = a.n;
	if (array_is_text(c, &a, how, &text)) {
		kt_fn___buffer_quoted(c, ret, size, address, text < a.n ? text : n, size, a.user);
		return;
	}
	for (u32 i = 0; i <= KT_ARRAY_ITEMS && i < a.n && !c->error && len < size - 1; i++) {
		u8 byte = array_byte(c, &a, i);
		kt_s64 number = how & KT_ARRAY_SIGNED ? (s8)byte : byte;
		const char *format = i == KT_ARRAY_ITEMS ? ", ..." : i ? ", %d" : "[%d";

		len += kt_format(ret + len, size - len, format, &(struct kt_arg){ .number = number }, i < KT_ARRAY_ITEMS);
	}
	strcpy(ret + min(len, size - 2), "]");
}

/* ---- the kernel's stack, its memory and its load ---- */
KT_NUMBER(stack_size, THREAD_SIZE)

__kprobes kt_s64 kt_fn_stack_used(struct kt_ctx *c)
{
	unsigned long sp = kt_level_of(c)->below.sp ?: current_stack_pointer;

	return (kt_s64)(THREAD_SIZE - (sp & (THREAD_SIZE - 1)));
}

__kprobes kt_s64 kt_fn_addr_to_node(struct kt_ctx *c, kt_s64 address)
{
	unsigned long page = virt_addr_valid((void *)(unsigned long)address) ?
				     (unsigned long)virt_to_phys((void *)(unsigned long)address) >> PAGE_SHIFT :
				     (unsigned long)address >> PAGE_SHIFT;
	int node;

	for_each_online_node (node)
		if (page >= node_start_pfn(node) && page < node_end_pfn(node))
			return node;
	return 0;
}

/* In hundredths. */
KT_NUMBER(__load_average, which < 0 || which > 2 ? 0 : (kt_s64)(avenrun[which] * 100 / FIXED_1), kt_s64 which)

KT_NUMBER(__user_word_size, current->mm && !(current->flags & PF_KTHREAD) && !kt_arch_is_64bit(task_pt_regs(current)) ? 4 : 8)

/* ---- open files ---- */
enum { FILES_MAX = 65536 };

__kprobes kt_s64 kt_fn_task_open_file_handles(struct kt_ctx *c, kt_s64 task)
{
	u64 files = kt_deref(c, (u64)task + offsetof(struct task_struct, files), 8), table, bits;
	kt_s64 n = 0;
	u32 max;

	if (c->error || !files)
		return 0;
	table = kt_deref(c, files + offsetof(struct files_struct, fdt), 8);
	max = c->error ? 0 : (u32)kt_deref(c, table + offsetof(struct fdtable, max_fds), 4);
	bits = c->error ? 0 : kt_deref(c, table + offsetof(struct fdtable, open_fds), 8);
	for (u32 i = 0; i < min_t(u32, max, FILES_MAX) / BITS_PER_LONG && !c->error; i++)
		n += hweight64(kt_deref(c, bits + i * sizeof(long), sizeof(long)));
	return n;
}
