/* A module whose values are known: testsuite/run-vm/module-truth.sh probes it and compares every one. */
#include <linux/types.h>

/* What the compiler may not look into, clone or inline. */
#define opaque __attribute__((noipa))

enum truth_color { RED = 1, GREEN = 5, BLUE = -2 };

struct truth_point {
	int x;
	short y;
	unsigned char z;
};

struct truth_pair {
	long first, second;
};

struct truth_bits {
	unsigned int a : 3;
	int b : 5;
	unsigned int c : 12;
	u64 d : 40;
};

/* In one register, bits and all. */
struct truth_fields {
	unsigned int a : 3, b : 5;
	int c : 10;
	short d;
};

/* In memory when it is returned. */
struct truth_big {
	long a, b;
	int c[2];
};

struct truth_node {
	struct truth_node *next;
	struct truth_point p;
	int grid[3][2];
	char name[8];
	union {
		u64 whole;
		u8 byte[8];
	};
	struct {
		int inside;
	};
	enum truth_color color;
	float skipped;
	int behind;
	const struct truth_point *const *table;
};

/* In a section that begins with two variables, or two functions, of one name. */
#define twin_data __attribute__((section(".data.twin")))
#define twin_code __attribute__((section(".text.twin")))

int truth_other(int x);
int truth_other_twin(int x);
int truth_other_statics(void);

/* Called in truth_main.c alone. */
int truth_ints(signed char c, unsigned char uc, short s, unsigned short us, int i, unsigned int u);
long truth_longs(long l, unsigned long ul, long long ll, bool yes, char ch, enum truth_color color);
int truth_eight(int a, int b, int c, int d, int e, int f, int g, int h);
int truth_struct(const struct truth_node *n);
int truth_bits(const struct truth_bits *b);
long truth_values(struct truth_point p, struct truth_pair pair);
struct truth_pair truth_returns(long x);
struct truth_fields truth_fields(struct truth_fields f, int n);
struct truth_big truth_returns_big(long x);
signed char truth_char(long x);
unsigned short truth_short(long x);
bool truth_bool(long x);
int truth_caller_one(int x);
int truth_caller_two(int x);
int truth_target(int x);
int truth_tail(int x);
int truth_early(int x);
int truth_line(int x);
int truth_label(int x);
int truth_recurse(int n);
int truth_negative(int x);
unsigned int truth_unsigned(int x);
int truth_letter(const char *text);
int truth_literals(int x);
int truth_percpu(enum truth_color color, const struct truth_node *n);
