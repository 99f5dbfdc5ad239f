/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of C++ and Rust for people. */
#ifndef KTAP_LIB_DEMANGLER_H
#define KTAP_LIB_DEMANGLER_H

/* Returns the symbol MANGLED as c++filt(1) shows it, "<shop::Apple>::pay::<i32>", without the hashes of Rust. To be freed. NULL: it is no
 * symbol of C++ or Rust, or its name is longer than 4,096 bytes. MANGLED may be hostile. */
char *demangle_name(const char *mangled);

#endif
