# shellcheck shell=bash disable=SC2034,SC2154
# The architectures that mgba-headless is built for, by Debian's names. Another one than this machine's gets a cross compiler, with the libraries of that
# architecture's Debian in a folder; qemu runs what is built.

case $HOSTTYPE in
  x86_64) own_architecture=amd64 ;;
  aarch64 | arm64) own_architecture=arm64 ;;
  *) own_architecture=$HOSTTYPE ;;
esac

# use_architecture NAME: sets $architecture, $cc (the compiler with its arguments), and for another architecture than this machine's, otherwise empty, $triplet
# (GCC's name of it), $sysroot (the folder with its Debian) and $emulated (the command that runs its programs here)
use_architecture() {
  architecture=$1 cc=cc triplet='' sysroot='' emulated=()
  case $1 in
    "$own_architecture") ;;
    arm64)
      triplet=aarch64-linux-gnu
      sysroot=$artifacts/debian-arm64
      cc="$triplet-gcc --sysroot=$sysroot"
      emulated=(qemu-aarch64-static -L "$sysroot")
      ;;
    *) fail "there is no cross compiler for $1 on $own_architecture" ;;
  esac
}
