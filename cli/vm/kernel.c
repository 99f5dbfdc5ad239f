/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An emulated CPU takes long to unpack a kernel, this machine does not: of Debian's kernels, 3.5 and 0.8 s with xz, 1.3 and 0.3 s with
 * zstd, 0.4 and 0.2 s with lz4. QEMU starts an unpacked kernel at its PVH entry, which a note of the ELF file names.
 */
#include "cli/vm/kernel.h"

#include <elf.h>
#include <string.h>

#include "lib/text.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/vmlinuz.h"

enum { XEN_ELFNOTE_PHYS32_ENTRY = 18 }; /* include/xen/interface/elfnote.h */

/* Whether the SIZE bytes of notes at P name a PVH entry. */
static bool names_pvh_entry(const void *p, size_t size)
{
	struct elf_note n;

	while (elf_next_note(&p, &size, &n))
		if (n.type == XEN_ELFNOTE_PHYS32_ENTRY && n.name_size == sizeof("Xen") && !memcmp(n.name, "Xen", sizeof("Xen")))
			return true;
	return false;
}

static bool has_pvh_entry(const char *p, size_t size)
{
	Elf64_Ehdr h;

	if (size < sizeof(h))
		return false;
	memcpy(&h, p, sizeof(h));
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_machine != machine_target()->elf || h.e_phentsize != sizeof(Elf64_Phdr))
		return false;
	for (size_t i = 0; i < h.e_phnum; i++) {
		size_t at = h.e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr s;

		if (h.e_phoff > size || at > size || size - at < sizeof(s))
			return false;
		memcpy(&s, p + at, sizeof(s));
		if (s.p_type == PT_NOTE && s.p_offset <= size && s.p_filesz <= size - s.p_offset &&
		    names_pvh_entry(p + s.p_offset, s.p_filesz))
			return true;
	}
	return false;
}

int vm_kernel_unpack(const char *path)
{
	_cleanup_text_ struct text image = { 0 }, kernel = { 0 };
	const char *why, *packed = NULL;
	size_t size;

	if (text_read_file(&image, path))
		packed = vmlinuz_payload(&image, &size);
	if (!packed || !payload_unpack(packed, size, &kernel, &why) || !has_pvh_entry(text_str(&kernel), kernel.len))
		return -1;
	return memory_file("ktap-kernel", text_str(&kernel), kernel.len);
}
