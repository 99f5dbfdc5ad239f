#include <stdint.h>
#include "ngx.h"

#include <string.h>
#include <sys/sdt.h>
#include <unistd.h>

typedef struct {
	ngx_uint_t status;
	off_t content_length_n;
	ngx_str_t content_type;
} ngx_http_headers_out_t;

struct ngx_http_request_s {
	uint32_t signature;
	ngx_connection_t *connection;
	ngx_http_request_t *parent;
	ngx_http_headers_out_t headers_out;
	ngx_str_t uri, args;
	enum ngx_method method;
	ngx_http_handler_pt content_handler;
	union {
		long number;
		unsigned char bytes[8];
	} variant;
	unsigned count : 16;
	unsigned keepalive : 1;
	unsigned header_sent : 1;
	int phases[3];
};

static ngx_uint_t ngx_http_requests_total;
static int ngx_http_last[3] = { 1, 2, 3 };
static u_char body[70000];

KEPT ngx_http_request_t *ngx_http_create_request(ngx_connection_t *c, const char *line)
{
	ngx_http_request_t *r = ngx_pcalloc(c->pool, sizeof(*r));
	const char *uri = strchr(line, ' ') + 1, *args = strchr(uri, '?');

	r->signature = 0x50545448;
	r->connection = c;
	r->method = *line == 'G' ? NGX_HTTP_GET : *line == 'H' ? NGX_HTTP_HEAD : NGX_HTTP_POST;
	r->uri.len = args ? (size_t)(args - uri) : strlen(uri);
	r->uri.data = ngx_palloc(c->pool, r->uri.len);
	memcpy(r->uri.data, uri, r->uri.len);
	if (args)
		r->args = (ngx_str_t){ strlen(args + 1), (u_char *)args + 1 };
	r->count = 1;
	r->keepalive = ngx_http_requests_total % 2;
	r->variant.number = -1 - (long)ngx_http_requests_total;
	ngx_http_requests_total++;
	return r;
}

KEPT ssize_t ngx_write_chain(ngx_connection_t *c, ngx_chain_t *in)
{
	ssize_t n = 0;

	for (; in; in = in->next)
		n += write(c->fd, in->buf->pos, (size_t)(in->buf->last - in->buf->pos));
	c->sent += n;
	return n;
}

KEPT ngx_int_t ngx_http_output_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
	ssize_t n = ngx_write_chain(r->connection, in);

	return n == r->headers_out.content_length_n ? 0 : -1;
}

KEPT ngx_int_t ngx_http_send_header(ngx_http_request_t *r, ngx_uint_t status, off_t length)
{
	r->headers_out.status = status;
	r->headers_out.content_length_n = length;
	r->header_sent = 1;
	return status < 500 ? 0 : 500;
}

KEPT ngx_int_t ngx_http_send_body(ngx_http_request_t *r, off_t length)
{
	ngx_buf_t b[2] = { { body, body + length / 2, 1, 0 }, { body + length / 2, body + length, 1, 1 } };
	ngx_chain_t chain[2] = { { &b[0], &chain[1] }, { &b[1], NULL } };

	return ngx_http_output_filter(r, chain);
}

KEPT ngx_int_t ngx_http_form_handler(ngx_http_request_t *r)
{
	ngx_http_send_header(r, 201, 10);
	return ngx_http_send_body(r, 10);
}

KEPT ngx_int_t ngx_http_static_handler(ngx_http_request_t *r)
{
	const char *uri = (const char *)r->uri.data;
	off_t length = !memcmp(uri, "/img/l", 6) ? 40000 : !memcmp(uri, "/img/b", 6) ? 70000 : 1024;

	if (!memcmp(uri, "/miss", 5)) {
		ngx_http_send_header(r, 404, 146);
		return ngx_http_send_body(r, 146) ? -1 : 404;
	}
	if (!memcmp(uri, "/err", 4))
		return ngx_http_send_header(r, 500, 0);
	ngx_http_send_header(r, 200, length);
	return r->method == NGX_HTTP_HEAD ? 0 : ngx_http_send_body(r, length);
}

KEPT ngx_int_t ngx_http_rewrite_phase(ngx_http_request_t *r)
{
	r->content_handler = r->method == NGX_HTTP_POST ? ngx_http_form_handler : ngx_http_static_handler;
	return 0;
}

KEPT ngx_int_t ngx_http_content_phase(ngx_http_request_t *r)
{
	return r->content_handler(r);
}

KEPT ngx_int_t ngx_http_core_run_phase(ngx_http_request_t *r, ngx_http_handler_pt handler, int phase)
{
	r->phases[phase] = phase * 10;
	return handler(r);
}

KEPT void ngx_http_finalize_request(ngx_http_request_t *r, ngx_int_t rc)
{
	DTRACE_PROBE3(nginx, http__request__done, r, (int)r->headers_out.status, rc);
	r->count--;
	ngx_http_last[rc != 0]++;
}

KEPT ngx_int_t ngx_http_process_request(ngx_http_request_t *r)
{
	ngx_int_t rc;

	DTRACE_PROBE2(nginx, http__request__start, r->uri.data, (long)r->uri.len);
	rc = ngx_http_core_run_phase(r, ngx_http_rewrite_phase, 1);
	if (!rc)
		rc = ngx_http_core_run_phase(r, ngx_http_content_phase, 2);
	ngx_http_finalize_request(r, rc);
	return rc;
}
