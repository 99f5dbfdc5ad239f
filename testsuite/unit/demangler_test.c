/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of C++ and Rust: symbols and what c++filt prints for them, without the hashes of Rust; each cut short at every byte. */
#include <stdlib.h>
#include <string.h>

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
	{ "_ZN59_$LT$shop..Apple$LT$T$GT$$u20$as$u20$core..fmt..Display$GT$3fmt17h4fb498e9c0809c84E",
	  "<shop::Apple<T> as core::fmt::Display>::fmt" },
	{ "_ZN4shop4main28_$u7b$$u7b$closure$u7d$$u7d$17h4fb498e9c0809c84E", "shop::main::{{closure}}" },
	{ "_ZN2ns1S3getEi", "ns::S::get(int)" },
	{ "_ZN2ns1fE", "ns::f" },
	{ "_ZNK12_GLOBAL__N_11SIPKcEltERKS3_", "(anonymous namespace)::S<char const*>::operator<((anonymous namespace)::S<char const*> const&) const" },
	{ "_Z1fi.part.0", "f(int) [clone .part.0]" },
	{ "_RB_", NULL },
	{ "_RNvB_1a", NULL },
	{ "_RNvC99999999999999999999a1a", NULL },
	{ "_Z1fv", "f()" },
	{ "_Z", NULL },
	{ "i", NULL },
	{ "main", NULL },
	{ "", NULL },
};

/* Adds LEVELS types of two of the one before: "std::pair<std::pair<int, int>, std::pair<int, int> >" at level 1. */
static void test_pairs(int levels)
{
	char symbol[1000] = "_Z1fSt4pairIiiE", *name;
	size_t len = strlen(symbol);

	for (int i = 0; i < levels; i++)
		len += (size_t)snprintf(symbol + len, sizeof(symbol) - len, "S_IS%d_S%d_E", i, i);
	name = demangle_name(symbol);
	ok(levels < 5 ? name != NULL : !name, "%d levels of pairs", levels);
	free(name);
}

/* References that double what they repeat, and types that nest without end. */
static void test_bounds(void)
{
	char symbol[4000] = "_RINvC1a1f";
	size_t len = strlen(symbol);
	char *name;

	for (int i = 0; i < 60; i++)
		len += (size_t)snprintf(symbol + len, sizeof(symbol) - len, "TB%s_B%s_E", i ? "7" : "0", i ? "7" : "0");
	name = demangle_name(symbol);
	ok(!name || strlen(name) <= 4096, "references are bounded");
	free(name);
	/* Each of these types is two of the one before, whose place the letter says. */
	len = (size_t)snprintf(symbol, sizeof(symbol), "_RINvC1a1fTllE");
	for (const char *place = "7bjrzHPX"; *place; place++)
		len += (size_t)snprintf(symbol + len, sizeof(symbol) - len, "TB%c_B%c_E", *place, *place);
	snprintf(symbol + len, sizeof(symbol) - len, "E");
	name = demangle_name(symbol);
	ok(!name, "a name that is too long is refused");
	free(name);
	memset(symbol, 'R', sizeof(symbol) - 1);
	memcpy(symbol, "_RINvC1a1f", 10);
	name = demangle_name(symbol);
	ok(!name, "depth is bounded");
	free(name);
	test_pairs(3);
	test_pairs(9);  /* too long */
	test_pairs(10); /* too many references */
}

int main(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *name = demangle_name(names[i].mangled);

		if (names[i].name)
			is_str(name ? name : "(none)", names[i].name, names[i].mangled);
		else
			ok(!name, "none: %s", names[i].mangled);
		free(name);
		for (size_t n = strlen(names[i].mangled); n; n--) {
			char *part = strndup(names[i].mangled, n - 1);

			free(demangle_name(part));
			free(part);
		}
	}
	test_bounds();
	return tap_done();
}
