/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface of embedded C: the macros of SystemTap's interface that do not depend on the function. Included
 * at the end of generated C, by embedded.h of the kit or of the user runtime, which add their headers.
 */
#ifndef KT_EMBEDDED_H
#define KT_EMBEDDED_H

#define MAXSTRINGLEN KT_STR
#define CONTEXT c
/* The handler that a piece of C runs in. Functions outside of the script's own are not given it: gen_embedded() has another
 * definition around them. */
#define KT_CONTEXT c
#define STAP_VERSION(major, minor) (((major) << 8) + (minor))

/* What `return;` is in a piece of C. */
#define KT_OUT goto out

/* Ends the function with an error. */
#define STAP_ERROR(...)                                                   \
	do {                                                              \
		snprintf(c->message, sizeof(c->message), __VA_ARGS__);    \
		kt_error(c, c->message);                                  \
		goto out;                                                 \
	} while (0)

/* Declines: the next overload is called. */
#define STAP_NEXT                                                         \
	do {                                                              \
		c->flags |= KT_CTX_DECLINED;                              \
		goto out;                                                 \
	} while (0)

/* The same without leaving: SystemTap's runtime has it as a function. */
#define _stp_error(...)                                                     \
	do {                                                                \
		struct kt_ctx *kt_c_ = KT_CONTEXT;                          \
                                                                            \
		snprintf(kt_c_->message, sizeof(kt_c_->message), __VA_ARGS__); \
		kt_error(kt_c_, kt_c_->message);                            \
	} while (0)

/* ---- output ---- */
static inline void kt_embedded_print(struct kt_ctx *c, const char *text)
{
	kt_u32 len = kt_strlen(text);
	void *room = kt_reserve(c, KT_REC_PRINT, KT_EMBEDDED_FORMAT, kt_string_room(len));

	if (room) {
		kt_put_string(room, text, len);
		kt_commit(c);
	}
}

#define KT_EMBEDDED_TEXT(out, ...)                                        \
	do {                                                              \
		char kt_text_[512];                                       \
                                                                          \
		snprintf(kt_text_, sizeof(kt_text_), __VA_ARGS__);        \
		out(KT_CONTEXT, kt_text_);                                \
	} while (0)

void kt_fn_warn(struct kt_ctx *c, const char *text);

/* Text to the session's output; a warning. */
#define STAP_PRINTF(...) KT_EMBEDDED_TEXT(kt_embedded_print, __VA_ARGS__)
#define _stp_printf(...) KT_EMBEDDED_TEXT(kt_embedded_print, __VA_ARGS__)
#define _stp_print(text) kt_embedded_print(KT_CONTEXT, (text))
#define _stp_warn(...) KT_EMBEDDED_TEXT(kt_fn_warn, __VA_ARGS__)
#define _stp_snprintf snprintf
#define _stp_vsnprintf vsnprintf

/* ---- strings: not every kernel and C library has these ---- */
static inline kt_u64 kt_embedded_strlcpy(char *to, const char *from, kt_u64 size)
{
	if (size)
		kt_strcpy(to, from, (kt_u32)size);
	return kt_strlen(from);
}

static inline kt_u64 kt_embedded_strlcat(char *to, const char *from, kt_u64 size)
{
	kt_u64 len = kt_strlen(to);

	return len + (len < size ? kt_embedded_strlcpy(to + len, from, size - len) : kt_strlen(from));
}

#undef strlcpy
#undef strlcat
#define strlcpy(to, from, size) kt_embedded_strlcpy(to, from, size)
#define strlcat(to, from, size) kt_embedded_strlcat(to, from, size)

/* ---- memory that may not be there: kt_memory_read() and _write() of the kit and of the user runtime raise an error, then
 * the label deref_fault is where it goes on. Each piece of C has one at its end unless it has one of its own. ---- */
enum { KT_KERNEL, KT_USER };

/* The code after it always runs: scripts release locks there. */
#define CATCH_DEREF_FAULT()                               \
	do {                                              \
		if (0) {                                  \
deref_fault: __attribute__((unused));                     \
		}                                         \
	} while (0)

/* The union: what is read may be const. */
#define KT_MEMORY_GET(ptr, space)                                                                          \
	({                                                                                                 \
		kt_u64 kt_at_ = (kt_u64)(unsigned long)(ptr);                                              \
		union {                                                                                    \
			__typeof__(*(ptr)) it;                                                             \
			char bytes[sizeof(*(ptr))];                                                        \
		} kt_got_;                                                                                 \
                                                                                                           \
		if (kt_memory_read(KT_CONTEXT, kt_got_.bytes, kt_at_, sizeof(kt_got_), space))             \
			goto deref_fault;                                                                  \
		kt_got_.it;                                                                                \
	})
#define KT_MEMORY_SET(ptr, value, space)                                                                   \
	({                                                                                                 \
		kt_u64 kt_at_ = (kt_u64)(unsigned long)(ptr);                                              \
		__typeof__(*(ptr)) kt_it_ = (value);                                                       \
                                                                                                           \
		if (kt_memory_write(KT_CONTEXT, kt_at_, (const char *)&kt_it_, sizeof(kt_it_), space))     \
			goto deref_fault;                                                                  \
	})
#define kread(ptr) KT_MEMORY_GET(ptr, KT_KERNEL)
#define uread(ptr) KT_MEMORY_GET(ptr, KT_USER)
#define kwrite(ptr, value) KT_MEMORY_SET(ptr, value, KT_KERNEL)
#define uwrite(ptr, value) KT_MEMORY_SET(ptr, value, KT_USER)

/* Numbers of SIZE bytes, at most 8. Little endian: the low bytes come first. */
#define KT_MEMORY_NUMBER(size, addr, space)                                                                \
	({                                                                                                 \
		kt_u64 kt_at_ = (kt_u64)(unsigned long)(addr), kt_size_ = (size), kt_number_ = 0;          \
                                                                                                           \
		if (kt_memory_read(KT_CONTEXT, (char *)&kt_number_, kt_at_, kt_size_ < 8 ? kt_size_ : 8, space)) \
			goto deref_fault;                                                                  \
		kt_number_;                                                                                \
	})
#define KT_MEMORY_SET_NUMBER(size, addr, value, space)                                                     \
	({                                                                                                 \
		kt_u64 kt_at_ = (kt_u64)(unsigned long)(addr), kt_size_ = (size);                          \
		kt_u64 kt_number_ = (kt_u64)(value);                                                       \
                                                                                                           \
		if (kt_memory_write(KT_CONTEXT, kt_at_, (const char *)&kt_number_, kt_size_ < 8 ? kt_size_ : 8, \
				    space))                                                                \
			goto deref_fault;                                                                  \
	})
#define kderef(size, addr) KT_MEMORY_NUMBER(size, addr, KT_KERNEL)
#define uderef(size, addr) KT_MEMORY_NUMBER(size, addr, KT_USER)
#define deref(size, addr) KT_MEMORY_NUMBER(size, addr, KT_KERNEL)
#define store_kderef(size, addr, value) KT_MEMORY_SET_NUMBER(size, addr, value, KT_KERNEL)
#define store_uderef(size, addr, value) KT_MEMORY_SET_NUMBER(size, addr, value, KT_USER)
#define store_deref(size, addr, value) KT_MEMORY_SET_NUMBER(size, addr, value, KT_KERNEL)

/* N bytes to TO, NULL: only whether they are there. */
static inline int kt_memory_copy(struct kt_ctx *c, char *to, kt_u64 from, kt_u64 n, int space)
{
	char byte[8];

	if (to)
		return kt_memory_read(c, to, from, n, space);
	for (kt_u64 i = 0; i < n; i += sizeof(byte))
		if (kt_memory_read(c, byte, from + i, n - i < sizeof(byte) ? n - i : sizeof(byte), space))
			return 1;
	return 0;
}

/* A string, cut to SIZE bytes with its NUL. */
static inline int kt_memory_string(struct kt_ctx *c, char *to, kt_u64 from, kt_u64 size, int space)
{
	for (kt_u64 i = 0; i < size; i++) {
		to[i] = 0;
		if (i + 1 == size)
			break;
		if (kt_memory_read(c, to + i, from + i, 1, space))
			return 1;
		if (!to[i])
			break;
	}
	return 0;
}

#define KT_MEMORY_INTO(copy, to, addr, size, space)                                                        \
	({                                                                                                 \
		kt_u64 kt_at_ = (kt_u64)(unsigned long)(addr);                                             \
		char *kt_to_ = (char *)(to);                                                               \
                                                                                                           \
		if (copy(KT_CONTEXT, kt_to_, kt_at_, (kt_u64)(size), space))                               \
			goto deref_fault;                                                                  \
		kt_to_;                                                                                    \
	})
#define kderef_buffer(to, addr, size) KT_MEMORY_INTO(kt_memory_copy, to, addr, size, KT_KERNEL)
#define uderef_buffer(to, addr, size) KT_MEMORY_INTO(kt_memory_copy, to, addr, size, KT_USER)
#define kderef_string(to, addr, size) KT_MEMORY_INTO(kt_memory_string, to, addr, size, KT_KERNEL)
#define uderef_string(to, addr, size) KT_MEMORY_INTO(kt_memory_string, to, addr, size, KT_USER)
#define deref_string(to, addr, size) KT_MEMORY_INTO(kt_memory_string, to, addr, size, KT_KERNEL)

/* Bytes that were not copied: 0 or all; no error is raised. */
static inline kt_u64 kt_memory_from_user(struct kt_ctx *c, char *to, kt_u64 from, kt_u64 n)
{
	const char *error = c->error;
	int failed = kt_memory_read(c, to, from, n, KT_USER);

	c->error = error;
	return failed ? n : 0;
}
#define _stp_copy_from_user(to, from, n)                                                                   \
	kt_memory_from_user(KT_CONTEXT, (char *)(to), (kt_u64)(unsigned long)(from), (kt_u64)(n))

#endif
