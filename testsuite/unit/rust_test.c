/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of Rust: symbols of rustc and what c++filt prints for them, without the hashes; each cut short at every byte. */
#include <stdlib.h>

#include "lib/demangler.h"
#include "tap.h"

static const struct {
	const char *mangled, *name; /* NULL: it is no such symbol */
} names[] = {
	{ "_RNvCsbxQjNsTKZZh_4shop4main", "shop::main" },
	{ "_RINvCsbxQjNsTKZZh_4shop3payRehEB2_", "shop::pay::<&str, u8>" },
	{ "_RINvCsbxQjNsTKZZh_4shop3payfAtj4_EB2_", "shop::pay::<f32, [u16; 4]>" },
	{ "_RINvCsbxQjNsTKZZh_4shop3payxTbcEEB2_", "shop::pay::<i64, (bool, char)>" },
	{ "_RNvYNtNtNtNtCsjrHSEGnQ3l9_3std3sys5stdio4unix6StderrNtNtBa_2io5Write9write_allBa_",
	  "<std::sys::stdio::unix::Stderr as std::io::Write>::write_all" },
	{ "_RNvXs_NtNtCsgEmfK2I1SDS_4core3ops5rangeINtB4_5RangejENtNtB8_3fmt5Debug3fmtB8_",
	  "<core::ops::range::Range<usize> as core::fmt::Debug>::fmt" },
	{ "_RNvMs3_NtCslNYArtu3iFV_5alloc7raw_vecINtB5_6RawVecPaE8grow_oneCsjrHSEGnQ3l9_3std",
	  "<alloc::raw_vec::RawVec<*const i8>>::grow_one" },
	{ "_RNCNvC1a4mains_0", "a::main::{closure#1}" },
	{ "_RINvC1a1fFUKCQlEuE", "a::f::<unsafe extern \"C\" fn(&mut i32)>" },
	{ "_RINvC1a1fFG_RL0_hEOhE", "a::f::<for<'a> fn(&'a u8) -> *mut u8>" },
	{ "_RINvC1a1fDNtC1b5Ptr_TpkEE", NULL },
	{ "_RINvC1a1fDINtC1b2FnTlEEp6OutputlEL_E", "a::f::<dyn b::Fn<(i32,), Output = i32>>" },
	{ "_RINvC1a1fKb1_Kin5_KpE", "a::f::<true, -5, _>" },
	{ "_RNvC1au5ü_1", NULL },
	{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad" },
	{ "_ZN59_$LT$shop..Apple$LT$T$GT$$u20$as$u20$core..fmt..Display$GT$3fmt17haaaabbbbccccddddE",
	  "<shop::Apple<T> as core::fmt::Display>::fmt" },
	{ "_ZN4shop4main28_$u7b$$u7b$closure$u7d$$u7d$17haaaabbbbccccddddE", "shop::main::{{closure}}" },
	{ "_ZN2ns1S3getEi", NULL },
	{ "_ZN2ns1fE", NULL },
	{ "_ZN17h0123456789abcdefE", NULL },
	{ "_RB_", NULL },
	{ "_RNvB_1a", NULL },
	{ "_RNvC99999999999999999999a1a", NULL },
	{ "_Z1fv", NULL },
	{ "main", NULL },
	{ "", NULL },
};

/* Backward references that double what they repeat, and types that nest without end. */
static void test_bounds(void)
{
	char symbol[4000] = "_RINvC1a1f";
	size_t len = strlen(symbol);
	char *name;

	for (int i = 0; i < 60; i++)
		len += (size_t)snprintf(symbol + len, sizeof(symbol) - len, "TB%s_B%s_E", i ? "7" : "0", i ? "7" : "0");
	name = rust_demangle(symbol);
	ok(!name || strlen(name) <= 4096, "references are bounded");
	free(name);
	memset(symbol, 'R', sizeof(symbol) - 1);
	memcpy(symbol, "_RINvC1a1f", 10);
	name = rust_demangle(symbol);
	ok(!name, "depth is bounded");
	free(name);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *name = rust_demangle(names[i].mangled);

		if (names[i].name)
			is_str(name ? name : "(none)", names[i].name, names[i].mangled);
		else
			ok(!name, "none: %s", names[i].mangled);
		free(name);
		for (size_t n = strlen(names[i].mangled); n; n--) {
			char *part = strndup(names[i].mangled, n - 1);

			free(rust_demangle(part));
			free(part);
		}
	}
	test_bounds();
	return tap_done();
}
