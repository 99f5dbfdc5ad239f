/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256, as FIPS 180-4 describes it: what sha256sum(1) prints of a script. */
#ifndef KTAP_LIB_SHA256_H
#define KTAP_LIB_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t state[8];
	unsigned char block[64];
	uint64_t len; /* bytes so far */
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t len);
/* Returns the sum in hexadecimal, in program_arena. S is used up. */
const char *sha256_hex(struct sha256 *s);

#endif
