#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What another user can change is not used: the cache, a directory for temporary files, options and libraries in $HOME. As
# root, with the HOME of another user (sudo -E, su without -), root's own home has the cache. The other user is 65534.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
own=$KTAP_CACHE_DIR
script='probe begin { println("mine") exit() }'
# The options of the tests themselves are elsewhere.
unset SYSTEMTAP_DIR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

# no_cache DIR TEXT: it is refused as a cache, for that reason.
no_cache()
{
	KTAP_CACHE_DIR=$1 ktap -p4 -r "$release" -e "$script"
	refused cache
	said "$2"
}
mkdir -m 777 open
no_cache "$PWD/open" "'$PWD/open' can be written by others"
mkdir -m 700 open/inner
no_cache "$PWD/open/inner" "'$PWD/open' can be written by others"
mkdir -m 775 group
no_cache "$PWD/missing/../open/inner" "'$PWD/open' can be written by others"
ln -s open/inner link
no_cache "$PWD/link" "'$PWD/open' can be written by others"
ln -s loop loop
no_cache "$PWD/loop" 'one symbolic link too many'
echo >file
no_cache "$PWD/file" 'is not a directory'
mkdir gone
status=0
(cd gone && rmdir ../gone && KTAP_CACHE_DIR=no-cache-of-ktap exec "$KTAP" -p4 -r "$release" -e "$script") >out 2>err || status=$?
refused cache
said 'the current directory, which has no path'
# Through a directory like /tmp one goes; it is no cache itself.
mkdir -m 1777 sticky
no_cache "$PWD/sticky" "'$PWD/sticky' can be written by others"
KTAP_CACHE_DIR=$PWD/sticky/mine ktap --clean-cache
accepted

# A subdirectory, a kit and a module that others can write.
mkdir -m 700 cache && mkdir -m 777 cache/module
no_cache "$PWD/cache" "'$PWD/cache/module' can be written by others"
KTAP_CACHE_DIR=$own ktap -p4 -r "$release" -e "$script"
accepted
module=$(cat out)
cp "$module" good
echo foreign >"$module"
chmod 666 "$module"
KTAP_CACHE_DIR=$own ktap -p4 -r "$release" -e "$script"
accepted
cmp -s good "$module" || fail "a module that others can write was taken"
# After a crash of the machine a file may be empty.
: >"$module"
KTAP_CACHE_DIR=$own ktap -p4 -r "$release" -e "$script"
accepted
cmp -s good "$module" || fail "an empty module was taken"

# Temporary files: the user chooses, or the cache has them. A directory's time of change tells whether any were made there.
unused_temporary()
{
	(cd "$1" && stat -c %z .) >before
	TMPDIR=$1 ktap --runtime=user -e "$script"
	accepted
	printed '^mine$'
	said "warning: TMPDIR is not used for temporary files: .*$2"
	TMPDIR=$1 KTAP_CACHE_DIR=$own ktap -p4 -r "$release" -e "probe begin { println(\"$1\") exit() }"
	accepted
	TMP=$1 TEMP=$1 KTAP_CACHE_DIR=$own ktap -p4 -r "$release" -e "probe begin { println(\"TMP $1\") exit() }"
	accepted
	(cd "$1" && stat -c %z .) | cmp -s before - || fail "temporary files were made in $1"
}
unused_temporary "$PWD/open" 'can be written by others'
ktap --tmpdir="$PWD/open" --runtime=user -e "$script"
refused untrusted
TMPDIR=$PWD/sticky ktap --runtime=user -e "$script"
accepted
test ! -s err || fail "a directory like /tmp is refused"
printed '^mine$'

# An option and a function of the user's library; then others can write the file, then the directory.
mkdir -p home/.systemtap home/.local/share/ktap/tapset && chmod -R go-w home
echo '-DMAXSTRINGLEN=7776' >home/.systemtap/rc
echo 'function mine() { return 77 }' >home/.local/share/ktap/tapset/mine.stp
with_home()
{
	HOME=$PWD/home ktap "$@"
}
uses_mine()
{
	with_home --runtime=user -e 'probe begin { println(mine()) exit() }'
}
with_home -p3 -e "$script"
accepted
grep -q "KT_STR = 7776" out || fail "the options are not read"
uses_mine
printed '^77$'
chmod o+w home/.systemtap/rc home/.local/share/ktap/tapset/mine.stp
with_home -p3 -e "$script"
said "home/.systemtap/rc' are not used: .* can be written by others"
grep -q "KT_STR = 7776" out && fail "options of a file that others can write are used"
uses_mine
test "$status" != 0 || fail "a library that others can write is used"
said "mine.stp' is not used: .* can be written by others"
chmod o-w home/.systemtap/rc home/.local/share/ktap/tapset/mine.stp
chmod o+w home
uses_mine
said "tapset' is not used: '$PWD/home' can be written by others"

# ccache, which has objects in a directory of the user's: a compiler tells whether it may.
mkdir -p bin
printf '#!/bin/sh\necho "${CCACHE_DISABLE-used}" >"%s/ccache"\nexec %s "$@"\n' "$PWD" "$(command -v gcc)" >bin/gcc
chmod +x bin/gcc
mkdir -m 700 quiet
for home in quiet=used open=1; do
	HOME=$PWD/${home%=*} PATH=$PWD/bin:$PATH ktap --runtime=user -e "$script"
	accepted
	test "$(cat ccache)" = "${home#*=}" || fail "ccache with ${home%=*}: $(cat ccache)"
done

test "$(id -u)" = 0 || { echo "the part with another user needs root"; exit 77; }

# A FUSE file system of another user, whose server says that all is of root. It has the name of root's, and may not say what it is.
cat >fuse.pl <<'END_PERL'
my ($dir, $statfs) = @ARGV;
sysopen(my $dev, '/dev/fuse', 2) or exit 77;
my $options = 'fd=' . fileno($dev) . ',rootmode=40000,user_id=65534,group_id=65534,allow_other';
my ($source, $type) = ('user_id=0,', 'fuse');
syscall(165, $source, $dir, $type, 0, $options) == 0 or exit 77; # mount
open(my $ready, '>', 'mounted');
while (sysread($dev, my $request, 1 << 20)) {
	my ($len, $op, $unique) = unpack('LLQ', $request);
	my ($error, $body) = (-38, '');
	next if $op == 2 || $op == 42; # FORGET
	($error, $body) = (0, pack('LLLLSSLLx36', 7, 31, 0, 0, 0, 0, 4096, 1)) if $op == 26;
	($error, $body) = (0, pack('QLLQ6L10', 60, 0, 0, 1, (0) x 8, 040700, 2, 0, 0, 0, 4096, 0)) if $op == 3;
	($error, $body) = ($statfs, $statfs ? '' : pack('x80')) if $op == 17;
	syswrite($dev, pack('LlQ', 16 + length $body, $error, $unique) . $body) or last;
}
END_PERL
for error in 0 -5; do
	rm -f mounted
	mkdir -p "$work/fuse"
	perl fuse.pl "$work/fuse" $error & server=$!
	trap 'umount -l "$work/fuse" 2>/dev/null; kill $server 2>/dev/null; rm -rf "$work"' EXIT
	until test -e mounted; do kill -0 $server 2>/dev/null || break; sleep 0.1; done
	test ! -e mounted || no_cache "$work/fuse" "'$work/fuse' is on a file system that another user mounted"
	umount -l "$work/fuse" 2>/dev/null || :
	kill $server 2>/dev/null || :
	wait $server || :
done
trap 'rm -rf "$work"' EXIT

# The home of another user. The module and the program are the ones of root, wherever the directories are exchanged to.
home=$work/home
mkdir -m 755 "$home"
chown 65534 "$home"
as_other()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$home" PWD=/ "$@"
}
as_other mkdir -p "$home/.systemtap" "$home/.cache" "$home/other/ktap/module" "$home/tmp"
as_other sh -c 'echo -DMAXACTION=8888 >"$HOME/.systemtap/rc"'
name=$(basename "$module")
as_other sh -c "echo foreign >$home/other/ktap/module/$name; chmod -R a+rwX $home/other"
cat >exchange.pl <<'END_PERL'
my ($a, $b) = @ARGV;
syscall(316, -100, $a, -100, $b, 2) while getppid() != 1; # renameat2, RENAME_EXCHANGE
END_PERL
cp exchange.pl "$home"
as_other perl "$home/exchange.pl" "$home/.cache" "$home/other" & loop=$!
trap 'kill $loop 2>/dev/null; rm -rf "$work"' EXIT
unset XDG_CACHE_HOME
root_home=$(getent passwd 0 | cut -d: -f6)
for i in $(seq 6); do
	(unset KTAP_CACHE_DIR; HOME=$home timeout 600 "$KTAP" -p4 -r "$release" -e "$script" >out 2>err) || fail "run $i"
	case $(cat out) in
	"$root_home"/.cache/ktap/module/*) ;;
	*) fail "the module is $(cat out)" ;;
	esac
	! grep -qx foreign "$(cat out)" || fail "the module is foreign"
	for cache in "$home/.cache/ktap" "$home/other/ktap"; do
		KTAP_CACHE_DIR=$cache ktap -p4 -r "$release" -e "$script"
		refused cache
		said 'belongs to another user'
	done
	HOME=$home ktap --runtime=user -e "$script"
	printed '^mine$'
	said "systemtap/rc' are not used: .* belongs to another user"
done
kill $loop
(unset KTAP_CACHE_DIR; HOME=$home; export HOME; unused_temporary "$home/tmp" 'belongs to another user')
test ! -e "$home/.cache/ktap/kit" && test ! -e "$home/other/ktap/kit" || fail "root wrote to the home of another user"
