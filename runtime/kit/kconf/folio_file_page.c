/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the page cache hold folios, and is a page of one found and asked whether its memory is broken as since 9257e1567738
 * "mm/filemap: Add folio_index(), folio_file_page() and folio_contains()", v5.16? */
#include <linux/pagemap.h>

bool kt_question(struct folio *folio)
{
	return folio_test_uptodate(folio) && PageHWPoison(folio_file_page(folio, 0));
}
