/* What dwarf_test.c probes: compiled into the fixture program and into the test, which knows the truth from C. */
#ifndef KTAP_DWARF_FIXTURE_H
#define KTAP_DWARF_FIXTURE_H

typedef unsigned long long fixture_u64;
typedef int fixture_callback(const char *name, void *data);

enum fixture_color { FIXTURE_RED, FIXTURE_GREEN = 7 };
enum fixture_signed { FIXTURE_BELOW = -1, FIXTURE_ABOVE = 1 };

struct fixture_inner {
	short first;
	char text[16];
};

struct fixture {
	int number;
	unsigned low : 3, middle : 7, high : 22;
	int negative : 5;
	fixture_u64 wide : 40, rest : 24;
	union {
		long as_long;
		struct {
			int left, right;
		};
	};
	struct fixture_inner inner, many[4];
	struct fixture *next, **table;
	int grid[3][5];
	const volatile char *name;
	fixture_callback *callback;
	enum fixture_color color;
	enum fixture_signed sign;
	_Bool flag;
	double real;
	char tail[];
};

struct fixture_pair {
	int left, right;
};

#endif
