/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks for the programs at the places where distributions put them. */
#include "cli/vm/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "translator/platform/kernels.h"
#include "translator/machine/machine.h"

static const char *const virtiofsd_places[] = {
	"/usr/libexec/virtiofsd", "/usr/lib/virtiofsd", "/usr/lib/qemu/virtiofsd", "/usr/libexec/qemu/virtiofsd", "virtiofsd", NULL,
};

static const char *first_program(const char *const *places)
{
	for (; *places; places++) {
		const char *file = **places == '/' ? system_path("%s", *places) : program_path(*places);

		if (file && !access(file, X_OK))
			return file;
	}
	return NULL;
}

/* QEMU for the kernel's machine. Fedora and RHEL have that of their own outside of PATH. */
static const char *find_qemu(void)
{
	bool own = machine_target() == machine_host();
	const char *const places[] = { vm_host_qemu(), own ? "qemu-kvm" : NULL, "/usr/libexec/qemu-kvm", NULL };

	return first_program(places);
}

const char *vm_host_qemu(void)
{
	return arena_printf(&program_arena, "qemu-system-%s", machine_target()->name);
}

/* The two programs share a name and no options. */
static bool is_rust(const char *virtiofsd)
{
	_cleanup_text_ struct text out = { 0 };

	proc_run(&(struct proc){ .argv = (const char *const[]){ virtiofsd, "--help", NULL }, .out = &out });
	return strstr(text_str(&out), "--shared-dir");
}

void vm_host_look(struct vm_host *ret)
{
	ret->qemu = find_qemu();
	ret->virtiofsd = first_program(virtiofsd_places);
	ret->rust = ret->qemu && ret->virtiofsd && is_rust(ret->virtiofsd);
}

bool vm_host_find(struct vm_host *ret)
{
	vm_host_look(ret);
	if (ret->qemu && ret->virtiofsd)
		return true;
	error(nowhere, DIAG_VM, "%s%s%s is not installed, which --vm needs", ret->qemu ? "" : vm_host_qemu(),
	      ret->qemu || ret->virtiofsd ? "" : " with ", ret->virtiofsd ? "" : "virtiofsd");
	if (!ret->qemu)
		package_note(NULL, machine_target()->board.qemu, NULL, vm_host_qemu());
	if (!ret->virtiofsd)
		package_note(NULL, PACKAGE_VIRTIOFSD, NULL, "virtiofsd");
	return false;
}

/* The kernel module for the virtualization of this CPU, NULL: it has none. */
static const char *cpu_module(void)
{
	_cleanup_fclose_ FILE *f = fopen(system_path("/proc/cpuinfo"), "re");
	char line[8192];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "flags", 5) && (strstr(line, " svm") || strstr(line, " vmx")))
			return strstr(line, " svm") ? "kvm_amd" : "kvm_intel";
	return NULL;
}

/* A device node alone says nothing: under some hosts it opens and then spins. */
enum vm_kvm vm_host_kvm(const char **ret_module)
{
	const char *module = cpu_module();
	_cleanup_close_ int fd = -1;

	if (ret_module)
		*ret_module = module;
	if (!module && machine_host()->board.kvm_in_cpuinfo)
		return VM_KVM_NO_CPU;
	fd = open(system_path("/dev/kvm"), O_RDWR | O_CLOEXEC);
	if (fd >= 0)
		return VM_KVM_USABLE;
	return errno == ENOENT ? VM_KVM_NO_DEVICE : VM_KVM_REFUSED;
}

bool vm_host_has_kvm(void)
{
	return machine_target() == machine_host() && vm_host_kvm(NULL) == VM_KVM_USABLE;
}

/* Reports a kernel whose image only root may read, as Ubuntu has them. */
static bool image_unreadable(const char *release)
{
	const char *image = kernel_unreadable_image(release);

	error(nowhere, DIAG_NO_KERNEL, "kernel %s is installed, but its image cannot be read: %s: %s", release, image, strerror(EACCES));
	note(nowhere, "let this user read it: %s", permission_command(image));
	return false;
}

bool vm_host_no_kernel(const char *wanted)
{
	const char *names = kernel_releases(kernel_boots), *hidden = kernel_newest(wanted, kernel_boots_for_root);

	if (hidden)
		return image_unreadable(hidden);
	if (!wanted)
		error(nowhere, DIAG_NO_KERNEL, "no kernel is installed that a virtual machine could boot");
	else
		error(nowhere, DIAG_NO_KERNEL, "no installed kernel is '%s': none has an image (/boot/vmlinuz-%s) and modules "
		      "(/lib/modules/%s)", wanted, wanted, wanted);
	if (*names)
		note(nowhere, "installed: %s", names);
	if (*names && wanted)
		package_list_note(NULL, wanted);
	else
		package_note(NULL, PACKAGE_KERNEL, NULL, "a kernel");
	return false;
}
