/* printf formats, as far as types need them: %[flag][width|*][.precision|.*][l]conversion. */
#include <string.h>

#include "translator/sema/pass.h"

static const char *skip_number(const char *s, bool *ret_star)
{
	*ret_star = *s == '*';
	if (*s == '*')
		return s + 1;
	return s + strspn(s, "0123456789");
}

bool format_next(const char **s, struct directive *ret)
{
	const char *p = strchr(*s, '%');

	if (!p)
		return false;
	p++;
	p += strspn(p, "0+-# ");
	p = skip_number(p, &ret->star_width);
	ret->star_precision = false;
	if (*p == '.')
		p = skip_number(p + 1, &ret->star_precision);
	p += strspn(p, "l");
	ret->conversion = *p;
	ret->string = *p == 's';
	*s = *p ? p + 1 : p;
	return true;
}
