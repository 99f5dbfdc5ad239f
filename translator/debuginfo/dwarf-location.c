/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Location attributes -> struct location: lists are looked up at the pc, frame bases and entry values replaced, what
 * is left refers to registers, memory and constants only.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "runtime/arch/i386.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/tls.h"

enum { OPS_MAX = 512, NESTING_MAX = 4, VALUE_MAX = 8 };

/* The operations being collected. */
struct builder {
	struct dwarf_target *t;
	const struct dwarf_scope *scope;
	struct loc_op ops[OPS_MAX];
	int n;
	Dwarf_Word end;  /* where the expression ends and DW_OP_stack_value stands; 0: not known */
	const char *why; /* set: cannot be expressed */
};

static bool refuse(struct builder *b, const char *why)
{
	b->why = why;
	return false;
}

/* Appends one operation of struct loc_op. */
static bool put(struct builder *b, unsigned atom, int64_t a, int64_t v)
{
	if (b->n == OPS_MAX)
		return refuse(b, "its location expression is too long");
	b->ops[b->n++] = (struct loc_op){ (uint8_t)atom, a, v };
	return true;
}

static bool put_ops(struct builder *b, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n, int nesting);

/* The runtime's number for the program's register NUMBER. */
static uint64_t runtime_register(const struct dwarf_target *t, uint64_t number)
{
	return t->base.is_32bit ? kt_i386_register(number) : number;
}

/* Register NUMBER of the program, plus OFFSET. */
static bool put_register(struct builder *b, uint64_t number, int64_t offset)
{
	number = runtime_register(b->t, number);
	if (b->t->base.is_32bit && number == KT_I386_NO_REGISTER)
		return refuse(b, "it is in a register that is not saved");
	return put(b, DW_OP_bregx, (int64_t)number, offset);
}

/* Opened once: each opening reads the section's tables again. */
static Dwarf_CFI *eh_frame(struct dwarf_target *t)
{
	if (!t->eh_frame_read)
		t->eh_frame = dwarf_getcfi_elf((t->base.code ? t->base.code : t->elf)->elf);
	t->eh_frame_read = true;
	return t->eh_frame;
}

/* The canonical frame address at the scope's pc. */
static bool put_cfa(struct builder *b, int nesting)
{
	Dwarf_CFI *cfi = dwarf_getcfi(b->t->dw);
	_cleanup_free_ Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t n;
	bool ok;

	if (!cfi || dwarf_cfi_addrframe(cfi, b->scope->pc, &frame)) {
		cfi = eh_frame(b->t);
		if (!cfi || dwarf_cfi_addrframe(cfi, b->scope->pc, &frame))
			return refuse(b, "no call frame information covers this address");
	}
	ok = !dwarf_frame_cfa(frame, &ops, &n) && n > 0;
	ok = ok ? put_ops(b, NULL, ops, n, nesting + 1) : refuse(b, "the call frame is not described here");
	return ok;
}

/* DW_AT_frame_base of the out-of-line function at the pc. */
static bool put_frame_base(struct builder *b, int nesting)
{
	Dwarf_Die die = b->scope->die, function;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_function_at(&die, b->scope->pc, &function) ||
	    !dwarf_place(&function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, b->scope->pc, &ops, &n, 1) != 1)
		return refuse(b, "its function has no frame base here");
	if (n == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31)
		return put_register(b, ops->atom - DW_OP_reg0, 0);
	return put_ops(b, &attr, ops, n, nesting + 1);
}

/* The value an expression had when the function was entered: known while nothing has run yet. */
static bool put_entry_value(struct builder *b, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	Dwarf_Word number;
	Dwarf_Op *ops;
	size_t n;

	if (!attr || dwarf_getlocation_attr(attr, op, &inner) || dwarf_getlocation(&inner, &ops, &n) || n != 1)
		return refuse(b, "it is described by the value of an expression at entry");
	if (ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31)
		number = ops->atom - DW_OP_reg0;
	else if (ops->atom == DW_OP_regx)
		number = ops->number;
	else
		return refuse(b, "it is described by the value of an expression at entry");
	return b->scope->at_entry ? put_register(b, number, 0) : put(b, LOC_OP_ENTRY, (int64_t)number, 0);
}

/* Size and signedness of a base type named by an operation; size 0: the generic type, whose offset is 0. */
static bool base_type(struct builder *b, Dwarf_Attribute *attr, const Dwarf_Op *op, int64_t *size, int64_t *is_signed)
{
	Dwarf_Die die;

	*size = 0;
	*is_signed = 0;
	if (!attr)
		return refuse(b, "a typed operation stands outside a variable");
	if (dwarf_getlocation_die(attr, op, &die)) {
		/* DW_OP_convert 0: back to the generic type. */
		return (op->atom == DW_OP_convert || op->atom == DW_OP_GNU_convert ||
			op->atom == DW_OP_reinterpret || op->atom == DW_OP_GNU_reinterpret) && !op->number
			       ? true : refuse(b, "the type of an operation is unknown");
	}
	if (dwarf_tag(&die) != DW_TAG_base_type)
		return true;
	switch (dwarf_number(&die, DW_AT_encoding, 0)) {
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		*is_signed = 1;
		break;
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_boolean:
	case DW_ATE_address:
		break;
	default:
		return refuse(b, "it is computed in floating point");
	}
	*size = (int64_t)dwarf_number(&die, DW_AT_byte_size, 8);
	if (*size != 1 && *size != 2 && *size != 4 && *size != 8)
		return refuse(b, "it is computed in a type wider than 64 bits");
	return true;
}

/* A constant of a base type: its bytes are in the expression. */
static bool put_const_type(struct builder *b, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	int64_t size, is_signed;
	const unsigned char *bytes = (const unsigned char *)(uintptr_t)op->number2;
	uint64_t v = 0;

	if (!base_type(b, attr, op, &size, &is_signed))
		return false;
	/* libdw: number2 points at a length byte, then the constant. */
	if (!bytes || bytes[0] != size)
		return refuse(b, "a constant has the wrong size");
	memcpy(&v, bytes + 1, (size_t)size);
	return put(b, DW_OP_const8u, (int64_t)v, size == VALUE_MAX) && put(b, DW_OP_convert, size, is_signed);
}

static bool put_typed(struct builder *b, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	int64_t size, is_signed;

	switch (op->atom) {
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		return base_type(b, attr, op, &size, &is_signed) &&
		       put_register(b, op->number, 0) && put(b, DW_OP_convert, size, is_signed);
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		return base_type(b, attr, op, &size, &is_signed) &&
		       put(b, DW_OP_deref_size, (int64_t)op->number, 0) && put(b, DW_OP_convert, size, is_signed);
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		return put_const_type(b, attr, op);
	default:
		return base_type(b, attr, op, &size, &is_signed) && put(b, DW_OP_convert, size, is_signed);
	}
}

/* In a module an address is known by a symbol. */
static bool put_linked(struct builder *b, uint64_t address)
{
	const char *symbol;
	uint64_t offset;

	if (!b->t->base.module)
		return put(b, DW_OP_addr, (int64_t)address, 0);
	if (!target_anchor(&b->t->base, address, &symbol, &offset))
		return refuse(b, "no symbol of the module is near its address");
	return put(b, LOC_OP_MODULE, (int64_t)(uintptr_t)symbol, (int64_t)offset);
}

/* An address from .debug_addr. */
static bool put_addrx(struct builder *b, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	Dwarf_Word v;
	Dwarf_Addr address;

	if (!attr || dwarf_getlocation_attr(attr, op, &inner))
		return refuse(b, "its address is missing from .debug_addr");
	if (!dwarf_formaddr(&inner, &address))
		return put_linked(b, address);
	if (!dwarf_formudata(&inner, &v))
		return put(b, DW_OP_const8u, (int64_t)(b->t->base.program ? program_tls_offset(&b->t->base, v) : v), 0);
	return refuse(b, "its address is missing from .debug_addr");
}

static bool put_address(struct builder *b, uint64_t address)
{
	if (!elf_is_per_cpu(b->t->elf, address))
		return put_linked(b, address);
	if (b->t->base.module)
		return put_linked(b, address) && put(b, LOC_OP_THIS_CPU, 0, 0) && put(b, DW_OP_plus, 0, 0);
	return put(b, LOC_OP_THIS_CPU, (int64_t)address, 0);
}

/* Puts what is at OFFSET from the value on the stack there. */
static bool put_read(struct builder *b, int64_t offset)
{
	return put(b, DW_OP_const8u, offset, 0) && put(b, DW_OP_plus, 0, 0) && put(b, DW_OP_deref, 0, 0);
}

/* The number of a library on the stack becomes the address of the thread's copy of its data. The vector has 16 bytes for each
 * library, and in front of the first the largest number that it has; a library above it gets address 0, which cannot be read. */
static bool put_vector(struct builder *b, int64_t vector)
{
	enum { ENTRY = 16 };

	return put(b, LOC_OP_THREAD, 0, 0) && put_read(b, vector) && put(b, DW_OP_over, 0, 0) && put(b, DW_OP_over, 0, 0) &&
	       put_read(b, -ENTRY) && put(b, DW_OP_le, 0, 0) && put(b, DW_OP_rot, 0, 0) && put(b, DW_OP_swap, 0, 0) &&
	       put(b, DW_OP_const8u, ENTRY, 0) && put(b, DW_OP_mul, 0, 0) && put(b, DW_OP_plus, 0, 0) && put(b, DW_OP_deref, 0, 0) &&
	       put(b, DW_OP_mul, 0, 0) && put(b, DW_OP_plus, 0, 0);
}

/* The offset on the stack is in the thread's copy of the file's thread-local data. */
static bool put_thread_local(struct builder *b)
{
	const struct target *t = &b->t->base;
	struct tls tls;

	if (!t->program)
		return refuse(b, "it is thread-local");
	tls = program_tls(t);
	if (tls.kind == TLS_NONE)
		return refuse(b, tls.why);
	if (tls.kind != TLS_DISTANCE && !(put(b, DW_OP_addr, (int64_t)tls.slot, 0) && put(b, DW_OP_deref, 0, 0)))
		return false;
	if (tls.kind == TLS_NUMBER_SLOT)
		return put_vector(b, tls.vector);
	if (tls.kind == TLS_DISTANCE_SLOT && !put(b, DW_OP_plus, 0, 0))
		return false;
	return put(b, LOC_OP_THREAD, 0, 0) && put(b, DW_OP_const8u, tls.distance, 0) && put(b, DW_OP_plus, 0, 0) &&
	       put(b, DW_OP_plus, 0, 0);
}

/* One operation, rewritten so that location_emit() needs neither libdw nor the DIE. */
static bool put_op(struct builder *b, Dwarf_Attribute *attr, const Dwarf_Op *op, int nesting)
{
	switch (op->atom) {
	case DW_OP_addr:
		return put_address(b, op->number);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return put_addrx(b, attr, op);
	case DW_OP_call_frame_cfa:
		return put_cfa(b, nesting);
	case DW_OP_fbreg:
		return put_frame_base(b, nesting) && put(b, DW_OP_plus_uconst, (int64_t)op->number, 0);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return put_entry_value(b, attr, op);
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		return put_typed(b, attr, op);
	case DW_OP_breg0 ... DW_OP_breg31:
		return put_register(b, op->atom - DW_OP_breg0, (int64_t)op->number);
	case DW_OP_bregx:
		return put_register(b, op->number, (int64_t)op->number2);
	case DW_OP_lit0 ... DW_OP_lit31:
		return put(b, DW_OP_const8u, op->atom - DW_OP_lit0, 0);
	case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u: case DW_OP_const2s:
	case DW_OP_const4u: case DW_OP_const4s: case DW_OP_const8u: case DW_OP_const8s:
	case DW_OP_constu: case DW_OP_consts:
		return put(b, DW_OP_const8u, (int64_t)op->number, 0);
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return refuse(b, "the pointer was optimized out, only what it points at is described");
	case DW_OP_GNU_parameter_ref:
		return refuse(b, "it is described by a parameter that was optimized out");
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return put_thread_local(b);
	case DW_OP_GNU_variable_value:
		return refuse(b, "it is described by another variable's value");
	case DW_OP_nop:
		return true;
	default: /* location_emit() knows which of the rest can be computed */
		return put(b, op->atom, (int64_t)op->number, (int64_t)op->number2);
	}
}

static bool is_branch(const Dwarf_Op *op)
{
	return op->atom == DW_OP_bra || op->atom == DW_OP_skip;
}

/* Where the branch OPS[I] goes, as an index: the operation that starts there is looked for. END is where the last one ends. */
static bool branch_target(struct builder *b, const Dwarf_Op *ops, size_t n, size_t i, Dwarf_Word end, size_t *ret)
{
	enum { BRANCH_SIZE = 3 };
	Dwarf_Word target = ops[i].offset + BRANCH_SIZE + (Dwarf_Word)(int16_t)ops[i].number;

	for (*ret = i + 1; *ret < n && ops[*ret].offset < target;)
		++*ret;
	if ((*ret < n ? ops[*ret].offset : end) == target)
		return true;
	return refuse(b, target < ops[i].offset + BRANCH_SIZE ? "its location expression branches back"
							      : "its location expression is malformed");
}

static bool put_ops(struct builder *b, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n, int nesting)
{
	int at[OPS_MAX + 1]; /* where the first operation that each is rewritten to stands */

	if (nesting > NESTING_MAX)
		return refuse(b, "its location expression refers to itself");
	if (n > OPS_MAX)
		return refuse(b, "its location expression is too long");
	for (size_t i = 0; i < n; i++) {
		at[i] = b->n;
		if (!put_op(b, attr, &ops[i], nesting))
			return false;
	}
	at[n] = b->n;
	for (size_t i = 0, target; i < n; i++) {
		if (!is_branch(&ops[i]))
			continue;
		if (!branch_target(b, ops, n, i, nesting ? 0 : b->end, &target))
			return false;
		b->ops[at[i]].a = at[target] - at[i] - 1;
	}
	return true;
}

static struct location constant(uint64_t v)
{
	struct loc_op *op = arena_new(&program_arena, struct loc_op);

	*op = (struct loc_op){ DW_OP_const8u, (int64_t)v, 0 };
	return (struct location){ .kind = LOC_VALUE, .ops = op, .n_ops = 1 };
}

/* The bytes of a constant, little endian as the target is. */
static struct location constant_block(const void *data, size_t size)
{
	uint64_t v = 0;

	if (size > VALUE_MAX)
		return location_none("it is a constant of more than 8 bytes");
	memcpy(&v, data, size);
	return constant(v);
}

static struct location in_register(const struct dwarf_target *t, uint64_t number)
{
	number = runtime_register(t, number);
	if (t->base.is_32bit && number == KT_I386_NO_REGISTER)
		return location_none("it is in a register that is not saved");
	return (struct location){ .kind = LOC_REGISTER, .reg = (unsigned)number, .is_32bit = t->base.is_32bit };
}

/* One simple location description: N operations without a piece. */
static struct location simple(struct dwarf_target *t, const struct dwarf_scope *scope, Dwarf_Attribute *attr,
			      const Dwarf_Op *ops, size_t n)
{
	struct builder b = { .t = t, .scope = scope };
	struct location l = { .kind = LOC_ADDRESS, .is_32bit = t->base.is_32bit };
	Dwarf_Block block;
	struct loc_op *copy;

	if (!n)
		return location_none("optimized out");
	if (n == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31)
		return in_register(t, ops->atom - DW_OP_reg0);
	if (n == 1 && ops->atom == DW_OP_regx)
		return in_register(t, ops->number);
	if (ops->atom == DW_OP_implicit_value) {
		if (dwarf_getlocation_implicit_value(attr, ops, &block))
			return location_none("its constant cannot be read");
		return constant_block(block.data, block.length);
	}
	if (ops[n - 1].atom == DW_OP_stack_value) {
		l.kind = LOC_VALUE;
		b.end = ops[--n].offset;
	}
	if (!put_ops(&b, attr, ops, n, 0))
		return location_none(b.why);
	copy = arena_array(&program_arena, struct loc_op, (size_t)b.n + 1);
	memcpy(copy, b.ops, (size_t)b.n * sizeof(*copy));
	l.ops = copy;
	l.n_ops = b.n;
	return l;
}

/* Does the operation end a piece? */
static bool is_piece(const Dwarf_Op *op)
{
	return op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece;
}

/* A variable in several places: each piece is a separate location, in order of its bytes. */
static struct location pieces(struct dwarf_target *t, const struct dwarf_scope *scope, Dwarf_Attribute *attr,
			      const Dwarf_Op *ops, size_t n)
{
	struct location first = {}, *last = NULL;

	for (size_t from = 0, i = 0; i < n; i++) {
		struct location l;

		if (!is_piece(&ops[i]))
			continue;
		l = simple(t, scope, attr, ops + from, i - from);
		if (ops[i].atom == DW_OP_bit_piece && (ops[i].number % 8 || ops[i].number2))
			l = location_none("it is in pieces that are not whole bytes");
		l.piece_size = ops[i].atom == DW_OP_piece ? ops[i].number : ops[i].number / 8;
		from = i + 1;
		if (!last) {
			first = l;
			last = &first;
		} else {
			struct location *next = arena_new(&program_arena, struct location);

			*next = l;
			last->next = next;
			last = next;
		}
	}
	/* One piece without a location is a variable without one. */
	if (!first.next && first.kind == LOC_NONE)
		return first;
	{
		struct location *chain = arena_new(&program_arena, struct location);

		*chain = first;
		return (struct location){ .kind = LOC_PIECES, .next = chain };
	}
}

/* DW_AT_const_value: the compiler folded the variable. */
static struct location constant_attribute(Dwarf_Attribute *attr)
{
	Dwarf_Block block;
	Dwarf_Sword s;
	Dwarf_Word u;

	if (!dwarf_formblock(attr, &block))
		return constant_block(block.data, block.length);
	/* data1..8 carry no sign: libdw extends them in formsdata, and the variable's type cuts them again. */
	if (!dwarf_formsdata(attr, &s))
		return constant((uint64_t)s);
	if (!dwarf_formudata(attr, &u))
		return constant(u);
	return location_none("its constant cannot be read");
}

/* Is it at an address below the stack pointer, where interrupts write and so does the probe? A variable of the frame is,
 * before the frame is made and after it is gone. Programs have 128 bytes there that are theirs. */
static bool is_below_stack(const struct dwarf_target *t, const struct location *l)
{
	uint64_t offset;

	if (target_is_user(&t->base) || l->kind != LOC_ADDRESS || l->ops[0].atom != DW_OP_bregx ||
	    (uint64_t)l->ops[0].a != target_machine(&t->base)->stack_pointer)
		return false;
	offset = (uint64_t)l->ops[0].b;
	for (int i = 1; i < l->n_ops; i++) {
		if (l->ops[i].atom != DW_OP_plus_uconst)
			return false;
		offset += (uint64_t)l->ops[i].a;
	}
	return (int64_t)offset < 0;
}

/* Bytes of the instructions that the compiler puts before a kernel function's own. */
static uint64_t entry_hooks(struct dwarf_target *t, uint64_t entry)
{
	const struct machine *m = target_machine(&t->base);
	const unsigned char *code = target_is_user(&t->base) || !m->entry_hooks ? NULL : elf_bytes(t->elf, entry, ENTRY_HOOKS_MAX);

	return code ? m->entry_hooks(code, entry, elf_symbol(t->elf, "__fentry__")) : 0;
}

struct location dwarf_location(struct dwarf_target *t, const struct dwarf_scope *scope, Dwarf_Die *die)
{
	struct location l;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;
	int found;

	if (dwarf_entry_location(t, scope, die, &l))
		return l;
	if (!dwarf_place(die, DW_AT_location, &attr)) {
		if (dwarf_attr_integrate(die, DW_AT_const_value, &attr))
			return constant_attribute(&attr);
		return location_none("optimized out");
	}
	found = dwarf_getlocation_addr(&attr, scope->pc, &ops, &n, 1);
	if (!found && scope->at_entry)
		found = dwarf_getlocation_addr(&attr, scope->pc + entry_hooks(t, scope->pc), &ops, &n, 1);
	if (found < 0)
		return location_none("its location list is damaged");
	if (!found)
		return location_none("it has no location at this address");
	for (size_t i = 0; i < n; i++)
		if (is_piece(&ops[i]))
			return pieces(t, scope, &attr, ops, n);
	l = simple(t, scope, &attr, ops, n);
	return is_below_stack(t, &l) ? location_none("its function's frame is not there at this address") : l;
}

/* The name that the linker has for the variable DIE. */
static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ? dwarf_formstring(&attr) : NULL;

	return name ? name : dwarf_diename(die);
}

/* A static variable without a place is optimized out, and a symbol of its name is another file's. Only thread-local ones gcc does not
 * describe on arm64. */
struct location dwarf_symbol_location(struct dwarf_target *t, Dwarf_Die *die)
{
	const char *name = linkage_name(die), *file, *slash;
	Dwarf_Die unit;
	GElf_Sym sym;

	if (dwarf_is_external(die)) {
		if (!name || !elf_declared(t->elf, name, &sym))
			return location_none("it is only declared");
	} else {
		file = dwarf_cu_die(die->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ? dwarf_diename(&unit) : NULL;
		slash = file ? strrchr(file, '/') : NULL;
		if (!name || !file || !elf_thread_local(t->elf, name, slash ? slash + 1 : file, &sym))
			return location_none("optimized out");
	}
	if (GELF_ST_TYPE(sym.st_info) == STT_TLS) {
		const Dwarf_Op ops[] = { { .atom = DW_OP_const8u, .number = sym.st_value }, { .atom = DW_OP_form_tls_address } };

		return simple(t, NULL, NULL, ops, 2);
	}
	return simple(t, NULL, NULL, &(const Dwarf_Op){ .atom = DW_OP_addr, .number = sym.st_value }, 1);
}

bool dwarf_frame(struct target *base, const struct place *p, uint64_t *ret_entry, struct location *ret_frame)
{
	struct dwarf_target *t = (struct dwarf_target *)base;
	const struct dwarf_scope *scope = p->scope;
	Dwarf_Die die = scope->die, function;
	struct builder b = { .t = t, .scope = scope };
	struct loc_op *ops;

	if (!dwarf_function_at(&die, scope->pc, &function) || !put_cfa(&b, 0))
		return false;
	ops = arena_array(&program_arena, struct loc_op, (size_t)b.n);
	memcpy(ops, b.ops, (size_t)b.n * sizeof(*ops));
	*ret_entry = dwarf_entry(&function);
	*ret_frame = (struct location){ .kind = LOC_VALUE, .is_32bit = base->is_32bit, .ops = ops, .n_ops = b.n };
	return *ret_entry != 0;
}
