#include <stdint.h>
#include "ngx.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static ngx_connection_t connections[2];
static ngx_cycle_t cycle = { connections, 2, 2, { 7, (u_char *)"/usr/ng/" }, { 3, -1, 4, -1 } };
volatile ngx_cycle_t *ngx_cycle = &cycle;

static const char *const requests[] = {
	"GET /index.html", "GET /missing", "POST /form?x=1&y=2", "GET /img/logo.png",
	"HEAD /index.html", "GET /error", "GET /index.html", "GET /img/bg.jpg",
};

KEPT void *ngx_palloc(ngx_pool_t *pool, size_t size)
{
	u_char *at = pool->d.last;

	if (at + size > pool->d.end) {
		pool->d.failed++;
		return NULL;
	}
	pool->d.last = at + size;
	pool->allocated += size;
	pool->n++;
	return at;
}

KEPT void *ngx_pcalloc(ngx_pool_t *pool, size_t size)
{
	void *p = ngx_palloc(pool, size);

	return p ? memset(p, 0, size) : NULL;
}

KEPT ngx_int_t ngx_worker_request(ngx_connection_t *c, ngx_http_request_t *r)
{
	ngx_int_t rc = ngx_http_process_request(r);

	c->requests++;
	return rc;
}

KEPT void ngx_destroy_pool(ngx_pool_t *pool)
{
	pool->d.last = (u_char *)(pool + 1);
}

KEPT ngx_connection_t *ngx_get_connection(int i)
{
	ngx_connection_t *c = &connections[i % 2];

	cycle.free_connection_n--;
	c->fd = open("/dev/null", O_WRONLY);
	c->tcp_nodelay = 1 + i % 2;
	c->timedout = i == 5;
	c->sent = 0;
	return c;
}

int main(void)
{
	ngx_pool_t *pool = malloc(4096);
	int bad = 0;

	memset(pool, 0, sizeof(*pool));
	pool->d.end = (u_char *)pool + 4096;
	pool->max = 4095;
	for (int i = 0; i < 8; i++) {
		ngx_connection_t *c = ngx_get_connection(i);

		ngx_destroy_pool(pool);
		c->pool = pool;
		bad += ngx_worker_request(c, ngx_http_create_request(c, requests[i])) != 0;
		cycle.free_connection_n++;
	}
	return bad == 2 ? 0 : 1;
}
