/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/kernel/kernel.h"
