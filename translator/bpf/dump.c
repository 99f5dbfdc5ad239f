/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -p3: the programs of an image as text, as bpftool(8) and the verifier's log write instructions. */
#include "runtime/bpf/image.h"
#include "translator/bpf/bpf.h"

/* The image, whose sections are good: we made it. */
struct image_view {
	const char *bytes;
	const struct image_header *head;
};

static const void *part(const struct image_view *d, enum image_section section)
{
	return d->bytes + d->head->parts[section].at;
}

static const char *text_at(const struct image_view *d, kt_u32 at)
{
	return (const char *)part(d, IMAGE_TEXTS) + at;
}

static const char *size_name(const struct bpf_instruction *in)
{
	switch (in->code & 0x18) {
	case BPF_B: return "u8";
	case BPF_H: return "u16";
	case BPF_W: return "u32";
	default: return "u64";
	}
}

static const char *operator_of(unsigned op)
{
	static const char *const names[] = { "+=", "-=", "*=", "/=", "|=", "&=", "<<=", ">>=", "= -", "%=", "^=", "=", "s>>=" };

	return names[op >> 4];
}

static const char *comparison_of(unsigned how)
{
	static const char *const names[] = { "", "==", ">", ">=", "&", "!=", "s>", "s>=", "", "", "<", "<=", "s<", "s<=" };

	return names[how >> 4];
}

/* R0 to R10, or the number. */
static void put_operand(struct text *t, const struct bpf_instruction *in)
{
	if (in->code & BPF_X)
		text_printf(t, "r%u", bpf_source(in));
	else
		text_printf(t, "%d", in->number);
}

static void put_jump(struct text *t, const struct bpf_instruction *in, size_t at)
{
	unsigned how = in->code & 0xf0;

	if (how == BPF_EXIT) {
		text_puts(t, "exit");
	} else if (how == BPF_CALL && bpf_source(in) == BPF_CALL_FUNCTION) {
		text_printf(t, "call %zu", at + 1 + (size_t)(long)in->number);
	} else if (how == BPF_CALL) {
		text_printf(t, in->number >= NATIVE_BASE ? "call native %d" : "call helper %d", in->number);
	} else {
		if (how != BPF_JA) {
			text_printf(t, "if r%u %s ", bpf_destination(in), comparison_of(how));
			put_operand(t, in);
			text_puts(t, " ");
		}
		text_printf(t, "goto %zu", at + 1 + (size_t)(long)in->offset);
	}
}

/* A load of 64 bits, which takes two instructions. */
static void put_wide(struct text *t, const struct image_view *d, const struct bpf_instruction *in, size_t at)
{
	const struct image_map *maps = part(d, IMAGE_MAPS);
	uint64_t number = (uint64_t)(uint32_t)in[1].number << 32 | (uint32_t)in->number;

	text_printf(t, "r%u = ", bpf_destination(in));
	switch ((enum bpf_pseudo)bpf_source(in)) {
	case BPF_NUMBER: text_printf(t, "%#llx", (unsigned long long)number); break;
	case BPF_MAP: text_printf(t, "map %s", text_at(d, maps[in->number].name)); break;
	case BPF_MAP_VALUE: text_printf(t, "%s + %d", text_at(d, maps[in->number].name), in[1].number); break;
	case BPF_FUNCTION: text_printf(t, "function %zu", at + 1 + (size_t)(long)in->number); break;
	case BPF_LINKED: text_printf(t, "address %#llx", (unsigned long long)number); break;
	case BPF_KNOWN: text_printf(t, "setting %d", in->number); break;
	}
}

static void put_instruction(struct text *t, const struct image_view *d, const struct bpf_instruction *in, size_t at)
{
	unsigned to = bpf_destination(in), from = bpf_source(in);

	text_printf(t, "%6zu  ", at);
	switch (in->code & 7) {
	case BPF_ALU64:
		text_printf(t, "r%u %s", to, operator_of(in->code & 0xf0));
		if ((in->code & 0xf0) == BPF_NEG)
			text_printf(t, "r%u", to);
		else
			text_puts(t, " "), put_operand(t, in);
		break;
	case BPF_LD:
		put_wide(t, d, in, at);
		break;
	case BPF_LDX:
		text_printf(t, "r%u = *(%s *)(r%u %+d)", to, size_name(in), from, in->offset);
		break;
	case BPF_ST:
		text_printf(t, "*(%s *)(r%u %+d) = %d", size_name(in), to, in->offset, in->number);
		break;
	case BPF_STX:
		if ((in->code & 0xe0) == BPF_ATOMIC)
			text_printf(t, "atomic %#x *(u64 *)(r%u %+d), r%u", (unsigned)in->number, to, in->offset, from);
		else
			text_printf(t, "*(%s *)(r%u %+d) = r%u", size_name(in), to, in->offset, from);
		break;
	case BPF_JMP:
		put_jump(t, in, at);
		break;
	}
	text_puts(t, "\n");
}

static void put_program(struct text *t, const struct image_view *d, const struct image_program *p)
{
	static const char *const kinds[] = {
		[IMAGE_COLD] = "in ktaprun", [IMAGE_KPROBE] = "kprobe", [IMAGE_FENTRY] = "fentry", [IMAGE_FEXIT] = "fexit", [IMAGE_RAW_TP] = "raw tracepoint",
		[IMAGE_UPROBE] = "uprobe", [IMAGE_PERF] = "perf event",
	};
	const struct bpf_instruction *code = (const struct bpf_instruction *)part(d, IMAGE_CODE) + p->code;
	const struct image_line *lines = (const struct image_line *)part(d, IMAGE_LINES) + p->lines;
	const kt_u32 *places = part(d, IMAGE_PLACES), n_places = d->head->parts[IMAGE_PLACES].n;
	kt_u32 line = 0;

	text_printf(t, "# %s: %s, %u instructions\n", text_at(d, p->name), kinds[p->kind], p->n);
	for (kt_u32 i = 0; i < p->n; i++) {
		for (; line < p->n_lines && lines[line].at <= i; line++)
			if (lines[line].place < n_places)
				text_printf(t, "; %s\n", text_at(d, places[lines[line].place]));
		put_instruction(t, d, &code[i], i);
		i += code[i].code == (BPF_LD | BPF_IMM | BPF_DW);
	}
}

void bpf_dump(struct text *t, const struct text *image)
{
	const struct image_view d = { text_str(image), (const struct image_header *)text_str(image) };
	const struct image_program *p = part(&d, IMAGE_PROGRAMS);

	for (kt_u32 i = 0; i < d.head->parts[IMAGE_PROGRAMS].n; i++)
		put_program(t, &d, &p[i]);
}
