/* Pass 5: run what pass 4 built. */
#ifndef KTAP_RUN_H
#define KTAP_RUN_H

#include "translator/syntax/ast.h"

/* Runs the module on this kernel or in the VM, or the program of --runtime=user. The exit status for the shell. */
int run_module(const struct program *p, const char *module);
/* --vm-exec: a shell command in the VM. */
int run_vm_command(const struct options *opt);
/* Whether the module will run in the VM: asked for, or this kernel has no modules. */
bool run_needs_vm(const struct options *opt);

#endif
