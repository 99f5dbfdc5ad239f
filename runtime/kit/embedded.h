/* Embedded C in a module: the headers that SystemTap's scripts count on. */
#ifndef KT_KIT_EMBEDDED_H
#define KT_KIT_EMBEDDED_H

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/version.h> /* scripts compare versions; we do not */
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include "runtime/embedded.h"

#endif
