/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap-vm: runs a command in a throwaway VM. For tests and work on ktap itself; users have ktap --vm.
 *
 *     ktap-vm [-v] [-n] [-k] [-t SECONDS] [-m MB] [-s CPUS] [-a KERNEL-ARGS] [-q QEMU-ARG]... [-R ROOT]
 *             RELEASE|default -- CMD [ARG...]
 *
 * e.g. ktap-vm 6.1.0-56-cloud-amd64 -- sh -c 'insmod /tmp/x.ko; dmesg | tail'
 * -v shows the kernel's console, -n gives an empty stdin, -k has the kernel pick its address (KASLR) on an emulated CPU too.
 * The exit status is the command's; 125: the VM failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/vm/root.h"
#include "cli/vm/vm.h"
#include "lib/standard-files.h"

enum { EXIT_VM_FAILED = 125, MAX_QEMU_ARGS = 32 };

static int usage(void)
{
	fputs("usage: ktap-vm [-v] [-n] [-k] [-t SECONDS] [-m MB] [-s CPUS] [-a KERNEL-ARGS] [-q QEMU-ARG]... [-R ROOT]\n"
	      "               RELEASE|default -- CMD [ARG...]\n",
	      stderr);
	return 2;
}

int main(int argc, char **argv)
{
	const char *qemu[MAX_QEMU_ARGS + 1] = { 0 };
	struct vm_options o = { .qemu_args = qemu };
	int c, n_qemu = 0, status;

	if (!open_standard_files())
		return EXIT_VM_FAILED;
	while ((c = getopt(argc, argv, "+vnkt:m:s:a:q:R:")) != -1) {
		switch (c) {
		case 'v': o.verbose = true; break;
		case 'n': o.no_stdin = true; break;
		case 'k': o.kaslr = true; break;
		case 't': o.timeout = atoi(optarg); break;
		case 'm': o.memory_mb = atoi(optarg); break;
		case 's': o.cpus = atoi(optarg); break;
		case 'a': o.kernel_args = optarg; break;
		case 'R': o.root = optarg; break;
		case 'q':
			if (n_qemu == MAX_QEMU_ARGS)
				return usage();
			qemu[n_qemu++] = optarg;
			break;
		default: return usage();
		}
	}
	if (argc - optind < 3 || strcmp(argv[optind + 1], "--"))
		return usage();
	o.release = strcmp(argv[optind], "default") ? argv[optind] : NULL;
	o.argv = (const char *const *)argv + optind + 2;
	o.root = vm_root_named(o.root);
	return vm_run(&o, &status) ? status : EXIT_VM_FAILED;
}
