# shellcheck shell=bash disable=SC2034,SC2154
# What mgba-headless is built for: architectures of Linux by Debian's names, and windows-amd64. Another one than this machine's gets a cross compiler, with the
# libraries of that architecture's Debian in a folder; qemu runs what is built. For Windows scripts/engine builds the libraries, too.

case $HOSTTYPE in
  x86_64) own_architecture=amd64 ;;
  aarch64 | arm64) own_architecture=arm64 ;;
  *) own_architecture=$HOSTTYPE ;;
esac

# use_architecture NAME: sets $architecture, $cc (the compiler with its arguments), and for another architecture than this machine's, otherwise empty, $triplet
# (GCC's name of it), $sysroot (the folder with its Debian) and $emulated (the command that runs its programs here). $system is the folder of headless/platform,
# and $group that of scripts/install with the compiler.
use_architecture() {
  architecture=$1 cc=cc triplet='' sysroot='' emulated=() system=posix group=''
  case $1 in
    "$own_architecture") ;;
    arm64)
      triplet=aarch64-linux-gnu group=arm64
      sysroot=$artifacts/debian-arm64
      cc="$triplet-gcc --sysroot=$sysroot"
      emulated=(qemu-aarch64-static -L "$sysroot")
      ;;
    windows-amd64)
      triplet=x86_64-w64-mingw32 group=windows
      cc=$triplet-gcc-posix
      system=windows
      ;;
    *) fail "there is no cross compiler for $1 on $own_architecture" ;;
  esac
}
