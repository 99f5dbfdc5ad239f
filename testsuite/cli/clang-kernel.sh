#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that clang built: make gets the compiler, the linker and the other programs of LLVM, of the version that built the kernel
# where it is installed. Without them nothing is built.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
R=$(debug_kernels | head -n 1)
tree=$(readlink -f "/lib/modules/$R/build")
test -e "$tree/include/config/auto.conf" || exit 77
cp -rs "$tree"/. tree/
rm tree/include/config/auto.conf
grep -v 'CC_IS_GCC\|CLANG_VERSION' "$tree/include/config/auto.conf" >tree/include/config/auto.conf
printf 'CONFIG_CC_IS_CLANG=y\nCONFIG_CLANG_VERSION=190107\nCONFIG_LD_IS_LLD=y\n' >>tree/include/config/auto.conf
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR
mkdir -m 700 cache

# Of the machine's programs, none of LLVM.
mkdir bin
for name in make gcc ld sh; do
	ln -s "$(command -v "$name")" "bin/$name"
done
build() { PATH=$PWD/bin ktap -r "$PWD/tree" -p4 -e 'probe never { }'; }
timeout=$(command -v timeout) grep=$(command -v grep)
ln -s "$timeout" bin/timeout
ln -s "$grep" bin/grep
build
refused build
said "was built with clang 19, and 'clang' is not installed"

rm bin/make
cat >bin/make <<END
#!/bin/sh
printf '<%s>\n' "\$@" >"$PWD/told"
exit 1
END
chmod +x bin/make
told() { grep -qxF "<$1>" told || { cat told; fail "make was not told '$1'"; }; }
for name in clang-19 ld.lld llvm-ar-19; do
	ln -s "$timeout" "bin/$name"
done
build
refused build
told CC=clang-19
told LD=ld.lld
told LLVM=1
told AR=llvm-ar-19
told NM=llvm-nm
