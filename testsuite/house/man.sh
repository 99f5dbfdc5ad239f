#!/bin/sh
# The manual pages are well-formed, and describe every option that ktap has.
command -v mandoc >/dev/null || { echo "mandoc is not installed"; exit 77; }
status=0
for page in "$SRCDIR"/man/*.[1-8] "$BUILDDIR"/man/*.[1-8]; do
	test -e "$page" || continue
	mandoc -Tlint -Wwarning "$page" || status=1
done

# Options as the table in options.c has them: letters, then long names.
options=$(sed -n "s/^	{ '\(.\)', .*/\1/p; s/^	{ [^,]*, \"\([a-z-]*\)\",.*/-\1/p" "$SRCDIR/translator/options.c")
test -n "$options" || { echo "no options found in options.c"; exit 1; }
for option in $options; do
	sed -n '/^\.Sh OPTIONS/,/^\.Sh LIMITS/p' "$SRCDIR/man/ktap.1" | grep -q -e "Fl $option\b" -e ", $option\b" || {
		echo "ktap.1 does not describe -$option"
		status=1
	}
done
exit $status
