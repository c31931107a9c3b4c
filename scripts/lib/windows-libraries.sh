# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by scripts/engine: what mgba-headless contains on Windows beside mGBA's core, built from the sources of Debian 12's packages (libinih's is trixie's,
# without Debian's patches, which are for its shared library).

sources+=(
  "lua5.4_5.4.4.orig.tar.gz 164c7849653b80ae67bec4b7473b884bf5cc8d2dca05653475ec2ed27b9ebf61 l/lua5.4"
  "lua5.4_5.4.4-3+deb12u1.debian.tar.xz 2d8e0e380722c648cfeffb8d58287865619b4d035544d93d7ef3a2eaf627abe6 l/lua5.4"
  "zlib_1.2.13.dfsg.orig.tar.bz2 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1 z/zlib"
  "zlib_1.2.13.dfsg-1.debian.tar.xz f66cf3d4f2d7defcd4d1fd1fb0a11ee39f1e01b42ec7d059c9dc5c1695133c44 z/zlib"
  "libpng1.6_1.6.39.orig.tar.gz a00e9d2f2f664186e4202db9299397f851aea71b36a35e74910b8820e380d441 libp/libpng1.6"
  "libpng1.6_1.6.39-2+deb12u5.debian.tar.xz ab14906eda9fddf14cbb1e589b9ba7439c22e233dc3c5e3cf9356c9625565a82 libp/libpng1.6"
  "libinih_59.orig.tar.gz 062279922805f5e9a369551a08d5ddb506140fe50774183ffdbb7c22bb97e3f4 libi/libinih"
)
path_limit=$root/headless/platform/windows/path-limit.h # compiled into everything that has a structure with a path
hardening= # of Linux

# library NAME FLAGS SOURCE...: a static one in the folder of the engine
library() {
  local name=$1 flags=$2 objects=$work/objects-$1
  shift 2
  mkdir -p "$objects"
  # shellcheck disable=SC2086 # several flags
  printf '%s\0' "$@" | (cd "$objects" && xargs -0 -n 8 -P "$(nproc)" $cc -O2 -ffile-prefix-map="$artifacts=." $flags -c) &&
    "$triplet-ar" rcsD "$work/engine/lib/lib$name.a" "$objects"/*.o
}

# use_windows: builds the libraries, and has CMake and pkg-config find them and none of this machine. ELF files are left out: Debian's library does not build for Windows.
use_windows() {
  local from=$work/libraries to=$work/engine
  unpack "$from/lua" lua5.4_5.4.4{.orig.tar.gz,-3+deb12u1.debian.tar.xz} && unpack "$from/zlib" zlib_1.2.13.dfsg{.orig.tar.bz2,-1.debian.tar.xz} &&
    unpack "$from/png" libpng1.6_1.6.39{.orig.tar.gz,-2+deb12u5.debian.tar.xz} && unpack "$from/inih" libinih_59.orig.tar.gz || return
  mkdir -p "$to/include/minizip" "$to/lib/pkgconfig"
  cp "$from"/lua/src/{lua,luaconf,lualib,lauxlib}.h "$from"/zlib/{zlib,zconf}.h "$from"/png/{png,pngconf}.h "$from/inih/ini.h" "$to/include"
  cp "$from/png/scripts/pnglibconf.h.prebuilt" "$to/include/pnglibconf.h"
  cp "$from"/zlib/contrib/minizip/*.h "$to/include/minizip"
  mkdir -p "$to/licenses"
  cp "$from/inih/LICENSE.txt" "$to/licenses/inih.txt"
  local one
  for one in lua zlib png; do cp "$from/$one/debian/copyright" "$to/licenses/$one.txt"; done
  rm "$from"/lua/src/lua.c "$from"/lua/src/luac.c "$from/png/pngtest.c"
  library z "-I$from/zlib" "$from"/zlib/*.c && library minizip "-I$from/zlib" "$from"/zlib/contrib/minizip/{ioapi,unzip,zip}.c &&
    library png "-I$to/include -DPNG_INTEL_SSE_OPT=0" "$from"/png/png*.c && library lua5.4 "" "$from"/lua/src/*.c && library inih "" "$from/inih/ini.c" || return
  printf '%s\n' "Name: minizip" "Description: zip" "Version: 1.2.13" "Libs: -lminizip -lz" "Cflags: -I$to/include/minizip" > "$to/lib/pkgconfig/minizip.pc"
  sed -i '/Windows requires epoxy module/d' "$work/source/CMakeLists.txt" # for a window with OpenGL, which is not built
  export PKG_CONFIG_LIBDIR=$to/lib/pkgconfig LDFLAGS=-L$to/lib
  hardening="-include $path_limit -I$to/include"
  options+=(-DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=x86_64 "-DCMAKE_RC_COMPILER=$triplet-windres" "-DCMAKE_FIND_ROOT_PATH=$to" -DWIN32_UNIX_PATHS=ON -DUSE_ELF=OFF
    -DCMAKE_FIND_ROOT_PATH_MODE_{INCLUDE,LIBRARY,PACKAGE}"=ONLY")
}
