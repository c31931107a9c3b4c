# shellcheck shell=bash disable=SC2034,SC2154
# What mgba-headless is built for: architectures of Linux by Debian's names, windows-amd64, and on a Mac macos-amd64 or macos-arm64. Another one of Linux than this
# machine's gets a cross compiler, with the libraries of that architecture's Debian in a folder; qemu runs what is built. For Windows and macOS scripts/engine
# builds the libraries, too.

case $HOSTTYPE in
  x86_64) own_architecture=amd64 ;;
  aarch64 | arm64) own_architecture=arm64 ;;
  *) own_architecture=$HOSTTYPE ;;
esac
[[ $OSTYPE != darwin* ]] || own_architecture=macos-$own_architecture

# use_architecture NAME: sets $architecture, $cc (the compiler with its arguments), $ar (what makes a library), and for another architecture than this machine's,
# otherwise empty, $triplet (GCC's name of it), $sysroot (the folder with its Debian) and $emulated (the command that runs its programs here). $system is the folder
# of headless/platform, and $group that of scripts/install with the compiler.
use_architecture() {
  architecture=$1 cc=cc ar='ar rcs' triplet='' sysroot='' emulated=() system=linux group=''
  case $1 in
    macos-a*) # on a Mac; elsewhere with a compiler in CC and AR
      cc=${CC:-cc} ar="${AR:-ar} rcs" system=macos
      ;;
    "$own_architecture") ;;
    arm64)
      triplet=aarch64-linux-gnu group=arm64
      sysroot=$artifacts/debian-arm64
      cc="$triplet-gcc --sysroot=$sysroot"
      emulated=(qemu-aarch64-static -L "$sysroot")
      ;;
    windows-amd64)
      triplet=x86_64-w64-mingw32 group=windows
      cc=$triplet-gcc-posix ar="$triplet-ar rcsD"
      system=windows
      ;;
    *) fail "there is no cross compiler for $1 on $own_architecture" ;;
  esac
}
