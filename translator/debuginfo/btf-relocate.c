/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Relocates BTF that comes with a base. Needs libbpf 1.5. */
#include "translator/debuginfo/btf-reader.h"

bool btf_relocate(struct btf *btf, const struct btf *kernel)
{
	return !btf__relocate(btf, kernel);
}
