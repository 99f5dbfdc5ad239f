/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printf formats, as far as types need them: what each directive takes from the arguments. */
#include "runtime/core/format.h"

#include <string.h>

#include "translator/sema/pass.h"

bool format_next(const char **s, struct directive *ret)
{
	const char *p = strchr(*s, '%');
	struct kt_directive d;

	if (!p)
		return false;
	*s = kt_directive(p, &d);
	ret->star_width = d.width == KT_FROM_ARG;
	ret->star_precision = d.precision == KT_FROM_ARG;
	ret->none = d.conv == '%' || !d.conv;
	ret->string = kt_conv_type(d.conv) == 'S';
	return true;
}
