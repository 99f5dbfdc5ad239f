/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap doctor`: what this machine has for ktap. */
#ifndef KTAP_CLI_DOCTOR_H
#define KTAP_CLI_DOCTOR_H

/* `ktap doctor [--json]`: prints one line a check. Returns the exit status: 0 if scripts can run, on this kernel or in a VM. */
int doctor_run(int argc, char **argv);

#endif
