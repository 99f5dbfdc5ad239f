/* An interpreter in the manner of LuaJIT: references of 32 bits, tagged values, frames on a stack of its own, one global state.
 * With an argument it works until it is ended. */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define KEPT __attribute__((noipa))
typedef uint32_t MSize;
typedef struct GCRef {
	uint32_t gcptr32;
} GCRef;
#define GCHeader GCRef nextgc; uint8_t marked; uint8_t gct

typedef struct GCstr {
	GCHeader;
	uint8_t reserved;
	MSize hash, len;
} GCstr;

typedef struct GCproto {
	GCHeader;
	uint8_t numparams;
	GCRef chunkname;
	int32_t firstline;
} GCproto;

typedef union GCobj {
	struct {
		GCHeader;
	} gch;
	GCstr str;
	GCproto pt;
} GCobj;

typedef union TValue {
	uint64_t u64;
	double n;
	struct {
		union {
			GCRef gcr;
			int32_t i;
		};
		uint32_t it;
	};
} TValue;

typedef struct lua_State lua_State;
typedef struct global_State global_State;
enum vmstate { VM_INTERP = 1, VM_C, VM_GC, VM_EXIT };
enum { TSTR = 4, TPROTO = 7, TFRAME = 0xfff0 };

struct global_State {
	GCRef root;
	struct {
		MSize total, threshold;
	} gc;
	MSize strnum;
	volatile int32_t vmstate;
	GCRef cur_L;
	enum vmstate wanted;
};

struct lua_State {
	GCHeader;
	uint8_t status;
	GCRef glref;
	TValue *base, *top, *stack;
	void *cframe;
};

static lua_State *volatile globalL;
static char *arena;
volatile unsigned long turns;

static uint32_t ref(const void *p)
{
	return (uint32_t)(uintptr_t)p;
}

KEPT void *lj_mem_new(global_State *g, MSize size)
{
	char *p = arena;

	arena += (size + 7) & ~7u;
	g->gc.total += size;
	return p;
}

KEPT GCobj *lj_mem_newgco(global_State *g, MSize size, int gct)
{
	GCobj *o = lj_mem_new(g, size);

	o->gch.gct = (uint8_t)gct;
	o->gch.nextgc = g->root;
	g->root.gcptr32 = ref(o);
	return o;
}

KEPT GCstr *lj_str_new(global_State *g, const char *s)
{
	size_t len = strlen(s);
	GCstr *str = &lj_mem_newgco(g, (MSize)(sizeof(GCstr) + len + 1), TSTR)->str;

	memcpy(str + 1, s, len + 1);
	str->len = (MSize)len;
	g->strnum++;
	return str;
}

KEPT GCproto *lj_proto_new(global_State *g, const char *chunk, int line)
{
	GCproto *pt = &lj_mem_newgco(g, sizeof(GCproto), TPROTO)->pt;

	pt->chunkname.gcptr32 = ref(lj_str_new(g, chunk));
	pt->firstline = line;
	return pt;
}

KEPT void lj_vm_call(lua_State *L, GCproto *pt, double argument)
{
	L->top->gcr.gcptr32 = ref(pt);
	L->top->it = TFRAME;
	L->top++;
	L->base = L->top;
	L->top->n = argument;
	L->top++;
}

KEPT void lj_dispatch(lua_State *L, int n)
{
	turns += (unsigned long)n + (L->top != NULL);
}

KEPT void lj_vm_run(lua_State *L)
{
	((global_State *)(uintptr_t)L->glref.gcptr32)->vmstate = VM_C;
	do
		lj_dispatch(L, 1);
	while (L->status);
}

int main(int argc, char **argv)
{
	global_State *g;
	lua_State *L;
	GCproto *pt[3];

	(void)argv;
	arena = mmap((void *)0x40000000, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	g = (global_State *)arena;
	arena += sizeof(*g);
	L = lj_mem_new(g, sizeof(*L));
	L->glref.gcptr32 = ref(g);
	L->stack = L->base = L->top = lj_mem_new(g, 64 * sizeof(TValue));
	g->cur_L.gcptr32 = ref(L);
	g->vmstate = VM_INTERP;
	g->wanted = VM_GC;
	pt[0] = lj_proto_new(g, "@main.lua", 1);
	pt[1] = lj_proto_new(g, "@lib/util.lua", 40);
	pt[2] = lj_proto_new(g, "=(eval)", 7);
	L->status = argc > 1;
	globalL = L;
	for (int i = 0; i < 6; i++) {
		L->top = L->stack;
		lj_vm_call(L, pt[0], 1.5);
		lj_vm_call(L, pt[1], -2.25);
		if (i % 2)
			lj_vm_call(L, pt[2], 1e6);
		lj_dispatch(L, i);
	}
	lj_vm_run(L);
	g->vmstate = VM_EXIT;
	return 0;
}
