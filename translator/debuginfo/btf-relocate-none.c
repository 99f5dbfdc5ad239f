/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In place of btf-relocate.c where libbpf is older. */
#include "translator/debuginfo/btf-reader.h"

bool btf_relocate(struct btf *btf, const struct btf *kernel)
{
	return false;
}
