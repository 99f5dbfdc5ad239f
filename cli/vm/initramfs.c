/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the initramfs of the throwaway VM: a cpio archive ("newc") in a memory file, so that nothing stays behind.
 *
 * It holds our static init (linked into this program as bytes), the modules that root on virtiofs and the
 * virtio-serial port need with all they depend on, and the list of their names in loading order. Modules packed
 * with xz are unpacked here, which is faster than inside an emulated machine; other packings are left to the kernel.
 */
#include "cli/vm/initramfs.h"

#include <errno.h>
#include <libkmod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/vm/proto.h"
#include "cli/vm/root.h"
#include "cli/vm/vm.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/text.h"
#include "translator/debuginfo/vmlinuz.h"
#include "translator/platform/kernels.h"

/* The bytes of the program vm-init, which the build makes first. */
asm(".pushsection .rodata\n"
    "vm_init_start: .incbin \"vm-init\"\n"
    "vm_init_end:\n"
    ".popsection");
extern const char vm_init_start[], vm_init_end[];

/* Drivers that the guest needs before it sees a file of the host; one built into the kernel has no file. */
static const char *const needed[] = { "virtio_pci", "virtio_console", "virtiofs", "overlay" };
static const char network_driver[] = "virtio_net";

enum {
	MODE_FILE = 0100644,
	MODE_PROGRAM = 0100755,
	MODE_DIRECTORY = 0040755,
	MODE_CHARDEV = 0020600,
	CONSOLE_MAJOR = 5,
	CONSOLE_MINOR = 1,
};

struct archive {
	struct text bytes;
	struct text list;  /* module paths inside, one a line */
	unsigned int ino;
};

static void pad4(struct text *t)
{
	text_append(t, "\0\0\0", -t->len & 3);
}

static void add_entry(struct archive *a, const char *name, unsigned int mode, const char *data, size_t len)
{
	bool device = mode == MODE_CHARDEV;

	text_printf(&a->bytes, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", a->ino++, mode, 0, 0,
		    1, 0, (unsigned int)len, 0, 0, device ? CONSOLE_MAJOR : 0, device ? CONSOLE_MINOR : 0,
		    (unsigned int)strlen(name) + 1, 0);
	text_append(&a->bytes, name, strlen(name) + 1);
	pad4(&a->bytes);
	text_append(&a->bytes, data, len);
	pad4(&a->bytes);
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* The module file PATH, once. */
static bool add_file(struct archive *a, const char *path)
{
	const char *base = strrchr(path, '/') + 1;
	bool xz = ends_with(path, ".ko.xz");
	_cleanup_free_ char *name = xasprintf("%.*s", (int)strlen(base) - (xz ? 3 : 0), base);
	_cleanup_free_ char *line = xasprintf("/%s\n", name);
	_cleanup_text_ struct text raw = { 0 }, plain = { 0 };
	const char *why;

	if (strstr(text_str(&a->list), line))
		return true;
	if (!text_read_file(&raw, path))
		return error(nowhere, DIAG_VM, "cannot read %s: %s", path, strerror(errno));
	if (xz && !payload_unpack(text_str(&raw), raw.len, &plain, &why))
		return error(nowhere, DIAG_VM, "%s is damaged: cannot unpack it", path);
	add_entry(a, name, MODE_FILE, text_str(xz ? &plain : &raw), xz ? plain.len : raw.len);
	text_puts(&a->list, line);
	return true;
}

/* MOD after everything it depends on. */
static bool add_module(struct archive *a, struct kmod_module *mod)
{
	struct kmod_list *deps = kmod_module_get_dependencies(mod), *pos;
	const char *path = kmod_module_get_path(mod);
	bool ok = true;

	kmod_list_foreach(pos, deps) { /* in loading order */
		struct kmod_module *dep = kmod_module_get_module(pos);
		const char *p = kmod_module_get_path(dep);

		ok = ok && (!p || add_file(a, p));
		kmod_module_unref(dep);
	}
	kmod_module_unref_list(deps);
	return ok && (!path || add_file(a, path));
}

/* The module NAME of CTX, with all it depends on. */
static bool add_driver(struct archive *a, struct kmod_ctx *ctx, const char *release, const char *name)
{
	struct kmod_list *found = NULL, *pos;
	bool ok = true;

	if (kmod_module_new_from_lookup(ctx, name, &found) < 0 || !found) {
		ok = error(nowhere, DIAG_VM, "kernel %s has no driver '%s', which the VM needs", release, name);
		if (strcmp(name, network_driver))
			note(nowhere, "without virtiofs (Fedora and RHEL may leave it out) --vm cannot boot a kernel; if "
				      "%s/modules.dep is old, make it with: depmod %s", kernel_modules_dir(release), release);
		else
			note(nowhere, "without --vm-network it boots");
	}
	kmod_list_foreach(pos, found) {
		struct kmod_module *mod = kmod_module_get_module(pos);

		ok = ok && add_module(a, mod);
		kmod_module_unref(mod);
	}
	kmod_module_unref_list(found);
	return ok;
}

static bool add_modules(struct archive *a, const char *release, bool network)
{
	const char *dir = kernel_modules_dir(release);
	const char *no_config = NULL;
	struct kmod_ctx *ctx = kmod_new(dir, &no_config);
	bool ok = ctx || error(nowhere, DIAG_VM, "cannot read %s", dir);

	for (size_t i = 0; ok && i < sizeof(needed) / sizeof(needed[0]); i++)
		ok = add_driver(a, ctx, release, needed[i]);
	if (network)
		ok = ok && add_driver(a, ctx, release, network_driver);
	if (ctx)
		kmod_unref(ctx);
	return ok;
}

/* The init of the root, which is for its machine, with the root's name; without a root our own. */
static bool add_init(struct archive *a, const char *root)
{
	const char *path = root ? vm_root_file(root, vm_root_init()) : NULL;
	_cleanup_text_ struct text init = { 0 };

	if (!root) {
		add_entry(a, "init", MODE_PROGRAM, vm_init_start, (size_t)(vm_init_end - vm_init_start));
		return true;
	}
	if (!text_read_file(&init, path))
		return error(nowhere, DIAG_VM, "cannot read %s: %s", path, strerror(errno));
	add_entry(a, "init", MODE_PROGRAM, text_str(&init), init.len);
	add_entry(a, &VM_ROOT_FILE[1], MODE_FILE, root, strlen(root));
	return true;
}

bool vm_initramfs(const struct vm_options *o, int *ret_fd)
{
	struct archive a = { .ino = 1 };
	bool ok;

	add_entry(&a, "dev", MODE_DIRECTORY, NULL, 0);
	add_entry(&a, "dev/console", MODE_CHARDEV, NULL, 0);
	ok = add_init(&a, o->root) && add_modules(&a, o->release, o->network);
	if (ok) {
		add_entry(&a, &VM_MODULE_LIST[1], MODE_FILE, text_str(&a.list), a.list.len);
		add_entry(&a, "TRAILER!!!", 0, NULL, 0);
		*ret_fd = memory_file("ktap-initramfs", text_str(&a.bytes), a.bytes.len);
		ok = *ret_fd >= 0 || error(nowhere, DIAG_VM, "cannot hold the initramfs in memory: %s", strerror(-*ret_fd));
	}
	text_deinit(&a.bytes);
	text_deinit(&a.list);
	return ok;
}
