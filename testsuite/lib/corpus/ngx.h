/* A server in the manner of nginx: what it does is the same each time, so scripts about it know the truth. */
#include <stddef.h>
#include <sys/types.h>

#define KEPT __attribute__((noipa))

typedef intptr_t ngx_int_t;
typedef uintptr_t ngx_uint_t;
typedef unsigned char u_char;

typedef struct ngx_pool_s ngx_pool_t;
typedef struct ngx_buf_s ngx_buf_t;
typedef struct ngx_chain_s ngx_chain_t;
typedef struct ngx_connection_s ngx_connection_t;
typedef struct ngx_http_request_s ngx_http_request_t; /* ngx_main.c does not know what it is */
typedef ngx_int_t (*ngx_http_handler_pt)(ngx_http_request_t *r);

typedef struct {
	size_t len;
	u_char *data;
} ngx_str_t;

enum ngx_method { NGX_HTTP_GET = 2, NGX_HTTP_HEAD = 4, NGX_HTTP_POST = 8 };

struct ngx_pool_s {
	struct {
		u_char *last, *end;
		unsigned failed;
	} d;
	size_t max;
	unsigned long allocated;
	unsigned n;
};

struct ngx_buf_s {
	u_char *pos, *last;
	unsigned memory : 1;
	unsigned last_buf : 1;
};

struct ngx_chain_s {
	ngx_buf_t *buf;
	ngx_chain_t *next;
};

struct ngx_connection_s {
	int fd;
	void *data;
	ngx_pool_t *pool;
	unsigned requests;
	unsigned tcp_nodelay : 2;
	unsigned timedout : 1;
	unsigned error : 1;
	off_t sent;
};

typedef struct {
	ngx_connection_t *connections;
	ngx_uint_t connection_n;
	ngx_uint_t free_connection_n;
	ngx_str_t prefix;
	short workers[4];
} ngx_cycle_t;

extern volatile ngx_cycle_t *ngx_cycle;

void *ngx_palloc(ngx_pool_t *pool, size_t size);
void *ngx_pcalloc(ngx_pool_t *pool, size_t size);
ngx_http_request_t *ngx_http_create_request(ngx_connection_t *c, const char *line);
ngx_int_t ngx_http_process_request(ngx_http_request_t *r);
