/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF with a base of its own, by libbpf 1.5. */
#include "translator/target/btf_reader.h"

bool btf_relocate(struct btf *btf, const struct btf *kernel)
{
	return !btf__relocate(btf, kernel);
}
