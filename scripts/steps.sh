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

# private_links DIR: puts overlays on /boot and /lib/modules, in a mount namespace of the caller's, and keeps in DIR what is linked there
# from then on. Only the caller and its children see these links: to others `ktap --vm=6.1` would mean another kernel.
private_links()
{
	for place in boot lib/modules; do
		rm -rf "${1:?}/$place"
		mkdir -p "$1/$place/upper" "$1/$place/work"
		mount -t overlay -o "lowerdir=/$place,upperdir=$1/$place/upper,workdir=$1/$place/work" overlay "/$place"
	done
}

# Shows the last line of the file $1 on a terminal, again and again, until it is killed or the script has ended.
show_last_line()
{
	[ -t 1 ] || return 0
	while sleep 2 && kill -0 $$ 2>/dev/null; do
		printf '\r[%3d s] %.60s\033[K' "$(elapsed)" "$(tail -n 1 "$1" | tr -cd '[:print:]')"
	done
}

# logged LOG COMMAND...: output goes to LOG, and a terminal shows its last line. Returns the command's status.
logged()
{
	log=$1
	shift
	show_last_line "$log" &
	shower=$!
	result=0
	"$@" >"$log" 2>&1 || result=$?
	kill "$shower" 2>/dev/null || :
	wait "$shower" 2>/dev/null || :
	[ ! -t 1 ] || printf '\r\033[K'
	return "$result"
}

# quietly LOG COMMAND...: like logged; on failure the end of LOG is shown.
quietly()
{
	if ! logged "$@"; then
		shift
		tail -n 30 "$log" >&2
		die "failed: $* (all of its output: $log)"
	fi
}

# The libraries that configure.ac looks for, with their versions.
libraries()
{
	modules=$(sed -n 's/.*PKG_CHECK_MODULES(\[[A-Z]*\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac" | tr ' ' '\n' | grep '^[a-z]')
	for module in $modules; do
		echo "$module $(pkg-config --modversion "$module" 2>/dev/null || echo missing)"
	done
	find /usr/include -path '*/sys/sdt.h' -o -path '*/Zydis/Zydis.h'
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
	# configure decides by the libraries which parts of ktap are built.
	configuration="$* $(libraries)"
	if [ ! -e "$build/config.status" ] || [ "$(cat "$build/.configured" 2>/dev/null)" != "$configuration" ]; then
		say "configure $*"
		(cd "$build" && quietly configure.log "$top/configure" "$@")
		echo "$configuration" >"$build/.configured"
	fi
	say "make"
	(cd "$build" && quietly make.log make -j"$(nproc)" all)
}
