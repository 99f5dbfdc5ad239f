# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by quickstart, check and install-deps: steps with elapsed seconds, and where things are.
# shellcheck shell=sh
top=$(cd "$(dirname "$0")/.." && pwd)
build=${KTAP_BUILD:-$top/build}
started=$(date +%s)

elapsed()
{
	echo $(($(date +%s) - started))
}

# say TEXT...: what happens now, with the seconds since the start.
say()
{
	printf '[%3d s] %s\n' "$(elapsed)" "$*"
}

die()
{
	printf '%s: %s\n' "$(basename "$0")" "$*" >&2
	exit 1
}

# quietly LOG COMMAND...: output goes to LOG; on failure its end is shown.
quietly()
{
	log=$1
	shift
	if ! "$@" >"$log" 2>&1; then
		tail -n 30 "$log" >&2
		die "failed: $* (all of its output: $log)"
	fi
}

# build_ktap CONFIGURE-ARGUMENT...: from a clone or a tarball to $build/ktap.
build_ktap()
{
	mkdir -p "$build"
	for file in "$build" "$build"/*.log; do
		[ ! -e "$file" ] || [ -w "$file" ] ||
			die "$file belongs to $(stat -c %U "$file"): remove $build as that user, or set KTAP_BUILD to another directory"
	done
	if [ ! -e "$top/configure" ] || [ "$top/configure.ac" -nt "$top/configure" ]; then
		say "autoreconf"
		(cd "$top" && quietly "$build/autoreconf.log" autoreconf -i)
	fi
	arguments="$*"
	if [ ! -e "$build/config.status" ] || [ "$(cat "$build/.configured" 2>/dev/null)" != "$arguments" ]; then
		say "configure $arguments"
		(cd "$build" && quietly configure.log "$top/configure" "$@")
		echo "$arguments" >"$build/.configured"
	fi
	say "make"
	(cd "$build" && quietly make.log make -j"$(nproc)" all)
}
