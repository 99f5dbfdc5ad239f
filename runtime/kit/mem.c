/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of the probed machine: numbers and strings at addresses that may be anything. A bad address is an error of
 * the script, never a fault of the kernel.
 */
#include <linux/uaccess.h>

#include "runtime/core/bytes.h"
#include "runtime/fn.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"

/* Strings are read in pieces that end on this boundary: what lies after the NUL may be another page. */
enum { PIECE = 64 };

typedef long (*read_fn)(void *to, u64 from, size_t n);

/* Kernel addresses that may be tried. Elsewhere are user addresses, and ones whose faults the kernel does not take. */
static unsigned long kernel_start __ro_after_init, kernel_span __ro_after_init;
static unsigned long mappings_start __ro_after_init, mappings_span __ro_after_init;

void __init kt_mem_init(void)
{
	kernel_start = kt_arch_kernel_start();
	kernel_span = kt_arch_kernel_end() - kernel_start;
	mappings_start = kt_arch_mappings_start();
	mappings_span = kt_arch_mappings_end() - mappings_start;
}

/* May ADDRESS be where a driver has mapped a device? */
static __always_inline bool may_be_device(u64 address)
{
	return unlikely(address - mappings_start < mappings_span);
}

/* Is one of the N bytes, at least one, at ADDRESS, where one may be, a device's? */
static noinline __kprobes bool has_device(u64 address, size_t n)
{
	u64 last = address + n - 1;

	if (address - (unsigned long)task_stack_page(current) < THREAD_SIZE)
		return false;
	while (!kt_arch_is_device(address)) {
		address = (address | ~PAGE_MASK) + 1;
		if (address > last)
			return false;
	}
	return true;
}

/* May the N bytes at ADDRESS be tried? Reading those of a device could make it act, or stop the machine. */
static __always_inline bool may_read(u64 address, size_t n)
{
	return likely(address - kernel_start < kernel_span) && !(may_be_device(address) && has_device(address, n));
}

enum { FIRST_OF_PROGRAMS = 0x10000 }; /* below, no program maps memory by default: it is a null pointer's member */

/* The end of a message about the fault of a read at ADDRESS. */
static __kprobes const char *fault_cause(u64 address, size_t n)
{
	if (address >= FIRST_OF_PROGRAMS && address < TASK_SIZE_MAX)
		return ": memory of a program, which user_ functions and a @cast that names the program read";
	return may_be_device(address) && has_device(address, n) ? ": memory of a device" : "";
}

/* Context: any. */
static __kprobes long read_kernel(void *to, u64 from, size_t n)
{
	if (unlikely(!may_read(from, n)))
		return -EFAULT;
	return copy_from_kernel_nofault(to, (const void *)(unsigned long)from, n);
}

__kprobes long kt_read_kernel(void *to, u64 from, size_t n)
{
	return read_kernel(to, from, n);
}

/* Fails where a page is not mapped: usermem.c may still be able to read it. Context: any. */
static __kprobes long read_user(void *to, u64 from, size_t n)
{
	return copy_from_user_nofault(to, (const void __user *)(unsigned long)from, n);
}

static noinline __kprobes u64 read_fault(struct kt_ctx *c, u64 address, u32 size)
{
	kt_faultf(c, "read fault at 0x%x%s", (kt_s64)address, fault_cause(address, size));
	return 0;
}

/* One load, with the exception table to catch it: struct walks are made of these. */
#define GET_KERNEL(type)                                                                    \
	do {                                                                                \
		type v_;                                                                    \
		pagefault_disable();                                                        \
		__get_kernel_nofault(&v_, (type *)(unsigned long)address, type, fault);     \
		pagefault_enable();                                                         \
		return v_;                                                                  \
	} while (0)

__kprobes kt_u64 kt_deref(struct kt_ctx *c, kt_u64 address, kt_u32 size)
{
	if (unlikely(!may_read(address, size)))
		return read_fault(c, address, size);
	switch (size) {
	case 8:
		GET_KERNEL(u64);
	case 4:
		GET_KERNEL(u32);
	case 2:
		GET_KERNEL(u16);
	default:
		GET_KERNEL(u8);
	}
fault:
	pagefault_enable();
	return read_fault(c, address, size);
}

__kprobes kt_u64 kt_deref_user(struct kt_ctx *c, kt_u64 address, kt_u32 size)
{
	union {
		u64 x8;
		u32 x4;
		u16 x2;
		u8 x1;
	} v = { 0 };

	if (unlikely(read_user(&v, address, size)) && !kt_user_bytes_absent(c, &v, size, address)) {
		kt_faultf(c, "read fault at 0x%x%s", (kt_s64)address, kt_absent_cause(c));
		return 0;
	}
	return size == 8 ? v.x8 : size == 4 ? v.x4 : size == 2 ? v.x2 : v.x1;
}

static noinline __kprobes void write_fault(struct kt_ctx *c, u64 address)
{
	kt_faultf(c, "write fault at 0x%x", (kt_s64)address);
}

/* Memory that is mapped for reading only faults like memory that is not there. */
#define PUT_KERNEL(type)                                                                    \
	do {                                                                                \
		type v_ = (type)value;                                                      \
		pagefault_disable();                                                        \
		__put_kernel_nofault((type *)(unsigned long)address, &v_, type, fault);     \
		pagefault_enable();                                                         \
		return;                                                                     \
	} while (0)

__kprobes void kt_store(struct kt_ctx *c, kt_u64 address, kt_u64 value, kt_u32 size)
{
	if (unlikely(address - kernel_start >= kernel_span)) {
		write_fault(c, address);
		return;
	}
	switch (size) {
	case 8:
		PUT_KERNEL(u64);
	case 4:
		PUT_KERNEL(u32);
	case 2:
		PUT_KERNEL(u16);
	default:
		PUT_KERNEL(u8);
	}
fault:
	pagefault_enable();
	write_fault(c, address);
}

/* Little endian: the low bytes come first. */
__kprobes void kt_store_user(struct kt_ctx *c, kt_u64 address, kt_u64 value, kt_u32 size)
{
	if (unlikely(copy_to_user_nofault((void __user *)(unsigned long)address, &value, size)))
		write_fault(c, address);
}

__kprobes long kt_read_user(struct kt_ctx *c, void *to, u64 from, u32 n)
{
	return n && read_user(to, from, n) && !kt_user_bytes_absent(c, to, n, from) ? -EFAULT : 0;
}

/* ---- registers ---- */
static noinline __kprobes unsigned long *register_fault(struct kt_ctx *c, const char *whose)
{
	kt_faultf(c, "register access fault: this %s registers", whose);
	return NULL;
}

/* Returns where REGS has a register; NULL, a fault, where it has none, because WHOSE has none. */
static __always_inline unsigned long *register_at(struct kt_ctx *c, const struct pt_regs *regs, u32 dwarf_number, const char *whose)
{
	if (likely(regs && dwarf_number < ARRAY_SIZE(kt_arch_registers)))
		return (unsigned long *)((char *)(unsigned long)regs + kt_arch_registers[dwarf_number]);
	return register_fault(c, whose);
}

__kprobes void kt_set_register(struct kt_ctx *c, kt_u32 dwarf_number, kt_u64 value)
{
	unsigned long *at = register_at(c, c->regs, dwarf_number, "probe has no");

	if (at)
		*at = value;
}

__kprobes void kt_set_return_value(struct kt_ctx *c, kt_u64 value)
{
	if (unlikely(!c->regs || !(c->flags & KT_CTX_RETURN))) {
		kt_error(c, "this probe has no return value");
		return;
	}
	regs_set_return_value((struct pt_regs *)c->regs, value);
}

/* Registers of a program of 32 bits? */
static __kprobes bool has_compat_registers(const struct kt_ctx *c)
{
	return c->flags & KT_CTX_USER_REGS && !kt_arch_is_64bit((struct pt_regs *)c->regs);
}

__kprobes void kt_set_return_wide(struct kt_ctx *c, kt_u64 value)
{
	kt_set_return_value(c, value);
	if (!c->error && has_compat_registers(c))
		kt_arch_set_compat_result((struct pt_regs *)c->regs, value);
}

__kprobes kt_u64 kt_register(struct kt_ctx *c, kt_u32 dwarf_number)
{
	const unsigned long *at = register_at(c, c->regs, dwarf_number, "probe has no");

	return likely(at) ? *at : 0;
}

__kprobes kt_u64 kt_user_register(struct kt_ctx *c, kt_u32 dwarf_number)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	const unsigned long *at;

	if (!regs || !user_mode(regs))
		regs = current->mm && !(current->flags & PF_KTHREAD) ? task_pt_regs(current) : NULL;
	at = register_at(c, regs, dwarf_number, "task has no user");
	return at ? *at : 0;
}

__kprobes kt_u64 kt_return_value(struct kt_ctx *c)
{
	if (unlikely(!c->regs || !(c->flags & KT_CTX_RETURN))) {
		kt_error(c, "this probe has no return value");
		return 0;
	}
	if (unlikely(has_compat_registers(c)))
		return (u32)kt_arch_compat_result((struct pt_regs *)c->regs);
	return regs_return_value((struct pt_regs *)c->regs);
}

__kprobes kt_u64 kt_return_wide(struct kt_ctx *c)
{
	kt_u64 value = kt_return_value(c);

	return !c->error && has_compat_registers(c) ? kt_arch_compat_result((struct pt_regs *)c->regs) : value;
}

/* ---- strings ---- */
/* The space for a string is full, and the string goes on at ADDRESS. Counts it as cut if the script WANTED more. */
static noinline __kprobes void string_full(u64 address, bool wanted, read_fn read)
{
	char next;

	if (wanted && !read(&next, address, 1) && next)
		kt_string_cut();
}

/* The string at ADDRESS, at most MAX bytes of it, into SIZE bytes; false: a byte of it is not there. ABSENT gets what is
 * left when a piece could not be read. */
static __always_inline bool read_string(struct kt_ctx *c, char *to, u32 size, u64 address, u64 max, read_fn read,
					bool (*absent)(struct kt_ctx *c, char *to, u32 room, u64 address))
{
	u32 len = 0, room = (u32)min_t(u64, size - 1, max);

	to[0] = 0;
	while (len < room) {
		u32 n = min_t(u32, room - len, PIECE - (address & (PIECE - 1))), found;

		if (read(to + len, address, n)) {
			to[len] = 0;
			if (!absent || !absent(c, to + len, room - len, address))
				return false;
			if (strlen(to) == room)
				string_full(address + room - len, max > room, read);
			return true;
		}
		found = kt_length(to + len, n);
		if (found < n)
			return true;
		address += n;
		len += n;
	}
	to[len] = 0;
	string_full(address, max > room, read);
	return true;
}

/* Copies the string at ADDRESS, which is the kernel's, to TO, which has ROOM bytes, 8 at least. Reads aligned words alone, as kt_length()
 * does. Returns how many bytes it copied when no more words fit, or one cannot be read; ROOM + 1: all. */
static __always_inline u32 kernel_words(char *to, u64 address, u32 room)
{
	u32 len = 0, before = address & 7;
	u64 word, zero;

	pagefault_disable();
	do {
		__get_kernel_nofault(&word, (u64 *)(unsigned long)(address + len - before), u64, fault);
		zero = kt_zero_bytes(word | ((1ull << 8 * before) - 1));
		word >>= 8 * before;
		memcpy(to + len, &word, sizeof(word));
		len += 8 - before;
		before = 0;
	} while (!zero && len + 8 <= room);
	pagefault_enable();
	return zero ? room + 1 : len;
fault:
	pagefault_enable();
	return len;
}

static noinline __kprobes bool kernel_pieces(char *to, u32 size, u64 address, u64 max)
{
	return read_string(NULL, to, size, address, max, read_kernel, NULL);
}

static __always_inline bool kernel_string(struct kt_ctx *c, char *to, u32 size, u64 address, u64 max)
{
	u32 len = 0, room = (u32)min_t(u64, size - 1, max);

	if (likely(room >= 8 && address - kernel_start < kernel_span - room) && !may_be_device(address))
		len = kernel_words(to, address, room);
	return likely(len > room) || kernel_pieces(to + len, size - len, address + len, max - len);
}

static noinline __kprobes bool user_pieces(struct kt_ctx *c, char *to, u32 size, u64 address, u64 max)
{
	return read_string(c, to, size, address, max, read_user, kt_user_string_absent);
}

/* Copies the string at ADDRESS, which is the current program's, to TO, which has ROOM bytes, by words up to the end of the page.
 * kt_from_program() is true. Returns how many bytes it copied; ROOM + 1: all of the string, and *RET has its hash. */
static __always_inline u32 user_words(char *to, u64 address, u32 room, struct kt_hashed *ret)
{
	const u64 __user *from = (const u64 __user *)(unsigned long)address;
	u32 len = 0, most = min_t(u32, room, PAGE_SIZE - offset_in_page(address));
	u64 word, zero = 0, hash = kt_hash_seed;

	if (most < sizeof(word))
		return 0;
	pagefault_disable();
	if (!user_access_begin(from, most))
		goto out;
	do {
		unsafe_get_user(word, from, fault);
		memcpy(to + len, &word, sizeof(word));
		zero = kt_zero_bytes(word);
		if (zero)
			break;
		hash = kt_hash_on(hash, word);
		from++;
		len += sizeof(word);
	} while (len + sizeof(word) <= most);
fault:
	user_access_end();
out:
	pagefault_enable();
	if (!zero)
		return len;
	hash = kt_hash_on(hash, word & kt_before_zero(zero));
	*ret = (struct kt_hashed){ to, len + __builtin_ctzll(zero) / 8, hash >> 32 };
	return room + 1;
}

__kprobes bool kt_user_string(struct kt_ctx *c, char *to, u32 size, u64 address, u64 max)
{
	u32 len = 0, room = (u32)min_t(u64, size - 1, max);
	struct kt_hashed unused;

	if (kt_from_program(c))
		len = user_words(to, address, room, &unused);
	return likely(len > room) || user_pieces(c, to + len, size - len, address + len, max - len);
}

static noinline __kprobes void kernel_string_fault(struct kt_ctx *c, kt_s64 address)
{
	kt_faultf(c, "kernel string copy fault at 0x%x%s", address, fault_cause(address, 1));
}

static noinline __kprobes void user_string_fault(struct kt_ctx *c, kt_s64 address)
{
	kt_faultf(c, "user string copy fault at 0x%x%s", address, kt_absent_cause(c));
}

/* NAME(address), NAME2(address, text for a fault) and NAME_n(address, bytes). */
#define STRING_FUNCTIONS(name, read, fault)                                                                                         \
	__kprobes void kt_fn_##name(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)                                       \
	{                                                                                                                           \
		if (!read(c, ret, size, address, U64_MAX))                                                                          \
			fault(c, address);                                                                                          \
	}                                                                                                                           \
	__kprobes void kt_fn_##name##2(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, const char *message)               \
	{                                                                                                                           \
		if (!read(c, ret, size, address, U64_MAX))                                                                          \
			kt_strcpy(ret, message, size);                                                                              \
	}                                                                                                                           \
	__kprobes void kt_fn_##name##_n(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n)                         \
	{                                                                                                                           \
		if (!read(c, ret, size, address, n < 0 ? 0 : n))                                                                    \
			fault(c, address);                                                                                          \
	}
STRING_FUNCTIONS(kernel_string, kernel_string, kernel_string_fault)
STRING_FUNCTIONS(user_string, kt_user_string, user_string_fault)

__kprobes struct kt_hashed kt_hashed_user_string(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	struct kt_hashed key;
	u32 len = 0;

	if (kt_from_program(c))
		len = user_words(ret, address, size - 1, &key);
	if (likely(len == size))
		return key;
	if (!user_pieces(c, ret + len, size - len, address + len, U64_MAX))
		user_string_fault(c, address);
	return kt_hashed(ret);
}
