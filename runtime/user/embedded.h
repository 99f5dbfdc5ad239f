/* Embedded C in a process: what of the C library is like the kernel's. */
#ifndef KT_USER_EMBEDDED_H
#define KT_USER_EMBEDDED_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/embedded.h"

#endif
