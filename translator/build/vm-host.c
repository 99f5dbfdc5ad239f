/* Looks for the programs at the places where distributions put them. */
#include "translator/build/vm-host.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/diag.h"
#include "translator/base/kernels.h"
#include "translator/base/proc.h"
#include "translator/base/text.h"

static const struct loc nowhere;

/* A word is looked up in PATH. Fedora and RHEL have their QEMU outside of it. */
static const char *const qemu_places[] = {
	"qemu-system-x86_64", "qemu-kvm", "/usr/libexec/qemu-kvm", NULL,
};
static const char *const virtiofsd_places[] = {
	"/usr/libexec/virtiofsd", "/usr/lib/virtiofsd", "/usr/lib/qemu/virtiofsd", "/usr/libexec/qemu/virtiofsd", "virtiofsd", NULL,
};

/* The file of NAME in PATH, NULL: none. */
static const char *in_path(const char *name)
{
	const char *path = getenv("PATH");

	for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
		size_t len = strcspn(p, ":");
		const char *file = arena_printf(&program_arena, "%.*s/%s", (int)len, p, name);

		if (!access(file, X_OK))
			return file;
		p += len + (p[len] == ':');
	}
	return NULL;
}

static const char *first_program(const char *const *places)
{
	for (; *places; places++) {
		const char *file = **places == '/' ? *places : in_path(*places);

		if (file && !access(file, X_OK))
			return file;
	}
	return NULL;
}

/* The two programs share a name and no options. */
static bool is_rust(const char *virtiofsd)
{
	struct text out = { 0 };
	bool yes;

	proc_run(&(struct proc){ .argv = (const char *const[]){ virtiofsd, "--help", NULL }, .out = &out });
	yes = strstr(text_str(&out), "--shared-dir");
	text_deinit(&out);
	return yes;
}

bool vm_host_find(struct vm_host *ret)
{
	static struct vm_host found;

	if (found.qemu) {
		*ret = found;
		return true;
	}
	ret->qemu = first_program(qemu_places);
	ret->virtiofsd = first_program(virtiofsd_places);
	if (ret->qemu && ret->virtiofsd) {
		ret->rust = is_rust(ret->virtiofsd);
		found = *ret;
		return true;
	}
	error(nowhere, DIAG_VM, "%s is not installed, which --vm needs",
	      ret->qemu ? "virtiofsd" : ret->virtiofsd ? "qemu-system-x86_64" : "qemu-system-x86_64 with virtiofsd");
	note(nowhere, "Debian and Ubuntu: apt-get install qemu-system-x86 qemu-system-common virtiofsd (Debian 12: without virtiofsd); "
		      "Fedora: dnf install qemu-kvm virtiofsd; openSUSE: zypper install qemu-x86 virtiofsd; "
		      "Arch: pacman -S qemu-base virtiofsd");
	return false;
}

/* A device node alone says nothing: under some hosts it opens and then spins. */
bool vm_host_has_kvm(void)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/cpuinfo", "re");
	char line[8192];

	while (f && fgets(line, sizeof(line), f)) {
		int fd;

		if (strncmp(line, "flags", 5) || (!strstr(line, " svm") && !strstr(line, " vmx")))
			continue;
		fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
		if (fd >= 0)
			close(fd);
		return fd >= 0;
	}
	return false;
}

bool vm_host_no_kernel(const char *wanted)
{
	const char *names = kernel_releases(kernel_boots);

	if (!wanted)
		error(nowhere, DIAG_NO_KERNEL, "no kernel is installed that a virtual machine could boot");
	else
		error(nowhere, DIAG_NO_KERNEL, "no installed kernel is '%s': none has an image (/boot/vmlinuz-%s) and modules "
		      "(/lib/modules/%s)", wanted, wanted, wanted);
	if (*names)
		note(nowhere, "installed: %s", names);
	note(nowhere, "install one with: apt-get install linux-image-%s", *names && wanted ? wanted : "cloud-amd64 linux-headers-cloud-amd64");
	return false;
}
