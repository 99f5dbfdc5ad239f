/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the page cache hold head pages, since 4101196b19d7 "mm: page cache: store only head pages in i_pages", v5.4? 7.2 no longer has
 * the function. */
#include <linux/pagemap.h>

struct page *kt_question(struct page *head)
{
	return find_subpage(head, 0);
}
