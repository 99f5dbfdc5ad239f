/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lengths of x86-64 instructions, as compilers for the kernel write them: no vector instructions of AVX.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A (opcode maps).
 */
#include "translator/build/build.h"

#include <string.h>

/* Bytes that follow an opcode. */
enum {
	M = 1,      /* ModRM, with what it asks for */
	B = 2,      /* one byte */
	W = 4,      /* two bytes */
	Z = 8,      /* four bytes; two after the prefix 66 */
	D = 16,     /* four bytes always */
	X = 32,     /* not an opcode of 64-bit mode */
	MB = M | B,
	MZ = M | Z,
	WB = W | B,
};

static const unsigned char one_byte[256] = {
	/* 00 */ M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	/* 10 */ M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	/* 20 */ M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	/* 30 */ M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	/* 40 */ X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* 50 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/* 60 */ X, X, X, M, X, X, X, X, Z, MZ, B, MB, 0, 0, 0, 0,
	/* 70 */ B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	/* 80 */ MB, MZ, X, MB, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 90 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, 0, 0, 0, 0, 0,
	/* a0 */ X, X, X, X, 0, 0, 0, 0, B, Z, 0, 0, 0, 0, 0, 0,
	/* b0 */ B, B, B, B, B, B, B, B, Z, Z, Z, Z, Z, Z, Z, Z,
	/* c0 */ MB, MB, W, 0, X, X, MB, MZ, WB, 0, W, 0, 0, B, X, 0,
	/* d0 */ M, M, M, M, X, X, X, 0, M, M, M, M, M, M, M, M,
	/* e0 */ B, B, B, B, B, B, B, B, D, D, X, B, 0, 0, 0, 0,
	/* f0 */ X, 0, X, X, 0, 0, M, M, 0, 0, 0, 0, 0, 0, M, M,
};

/* Returns flags for the bytes that follow the opcode 0f OP. */
static unsigned after_0f(unsigned char op)
{
	if (op == 0x05 || op == 0x06 || op == 0x07 || op == 0x08 || op == 0x09 || op == 0x0b || op == 0x77 ||
	    (op & 0xf8) == 0x30 || (op >= 0xa0 && op <= 0xa2) || (op >= 0xa8 && op <= 0xaa) || (op & 0xf8) == 0xc8)
		return 0;
	if ((op & 0xf0) == 0x80)
		return D;
	if ((op & 0xfc) == 0x70 || op == 0xa4 || op == 0xac || op == 0xba || op == 0xc2 || (op >= 0xc4 && op <= 0xc6))
		return MB;
	return M;
}

static bool is_prefix(unsigned char c)
{
	return c && strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", c);
}

/* Bytes of ModRM, SIB and displacement. */
static size_t modrm_length(unsigned char modrm, unsigned char sib)
{
	unsigned mod = modrm >> 6, rm = modrm & 7;
	size_t ret = 1 + (mod != 3 && rm == 4);

	if (mod == 1)
		return ret + 1;
	return ret + (mod == 2 || (mod == 0 && (rm == 5 || (rm == 4 && (sib & 7) == 5))) ? 4 : 0);
}

size_t x86_length(const unsigned char *p, size_t left, size_t *ret_opcode)
{
	unsigned char code[16] = { 0 };
	bool narrow = false, wide = false;
	unsigned follows;
	size_t at = 0;

	memcpy(code, p, left < sizeof(code) - 1 ? left : sizeof(code) - 1);
	for (; at < 8 && is_prefix(code[at]); at++)
		narrow |= code[at] == 0x66;
	if ((code[at] & 0xf0) == 0x40)
		wide = code[at++] & 8;
	*ret_opcode = at;
	follows = one_byte[code[at++]];
	if (code[at - 1] == 0x0f) {
		follows = after_0f(code[at++]);
		if (code[at - 1] == 0x38 || code[at - 1] == 0x3a)
			follows = code[at++ - 1] == 0x38 ? M : MB;
	} else if ((code[at - 1] & 0xfe) == 0xf6 && !(code[at] & 0x30)) {
		follows = code[at - 1] == 0xf6 ? MB : MZ; /* test; the others of the group have no operand there */
	} else if ((code[at - 1] & 0xf8) == 0xb8 && wide) {
		at += 4;
	}
	if (follows & X)
		return 0;
	if (follows & M)
		at += modrm_length(code[at], code[at + 1]);
	at += (follows & B ? 1u : 0u) + (follows & W ? 2u : 0u) + (follows & D ? 4u : 0u);
	at += follows & Z ? (narrow && !wide ? 2u : 4u) : 0u;
	return at <= left ? at : 0;
}
