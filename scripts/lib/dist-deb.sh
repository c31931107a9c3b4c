# shellcheck shell=bash disable=SC2034,SC2154
# The Debian package, built without debhelper: a tree of files, and dpkg-deb.

declare -A architectures=([linux-x64]=amd64 [linux-arm64]=arm64 [win-x64]=windows-amd64) machines=([linux-x64]=x86_64 [linux-arm64]=aarch64) # names of Debian, and of Python

windows_runtime=mingw-w64-x86-64-dev # Debian's package with what every program of GCC for Windows contains

# who maintains the package, by the variables of Debian's tools; the project has no address of its own
maintainer="${DEBFULLNAME:-mGBA-bridge contributors} <${DEBEMAIL:-root@localhost}>"

# want_engine RID: sets $engine to the folder of mGBA's core, and the variables of its architecture; packages are not built with the library of this system instead
want_engine() {
  use_architecture "${architectures[$1]}"
  engine=$(TUNED=1 "$root/scripts/engine" "$architecture") || fail "packages with mgba-headless need mGBA's core"
}

# build_headless RID: mgba-headless without symbols, for Linux with Debian's hardening flags; sets $headless, and what want_engine sets
build_headless() {
  local folder=$dist_work/headless-$1 compiled=$hardening linked="-Wl,-z,relro -Wl,-z,now"
  headless=$folder/mgba-headless
  want_engine "$1"
  [ "$system" != windows ] || compiled='' linked=-Wl,--no-insert-timestamp headless+=.exe
  logged "building mgba-headless for $1" env -u MGBA CFLAGS="-O2 -ffile-prefix-map=$root=. $compiled" LDFLAGS="$linked -s" \
    make -s --no-print-directory -C "$root/headless" SYSTEM="$system" CC="$cc" BUILD="$folder" ENGINE="$engine" MGBA= MAKEFLAGS=
}

# add_headless FOLDER [FOLDER]: mgba-headless, for Linux also the name under which it runs test ROMs, and in the second folder the notices of what it contains
add_headless() {
  install -m 755 "$headless" "$1/"
  [ "$system" = windows ] || ln -s mgba-headless "$1/mgba-rom-test"
  engine_notices > "${2:-$1}/MGBA-HEADLESS-THIRD-PARTY-NOTICES.txt"
}

# engine_packages: the Debian packages whose libraries mgba-headless contains, with their versions; for Windows the packages of the source
engine_packages() {
  if [ "$system" = windows ]; then
    # the version of an archive with Debian's part is that of the package
    awk -F '[_ ]' 'sub(/\.(orig|debian)\.tar\..*/, "", $2) { version[$1] = $2 } END { for (name in version) print name, version[name] }' "$engine/source" | sort
    dpkg-query -W -f '${Package} ${Version}\n' "$windows_runtime"
    return
  fi
  head -n 1 "$engine/source"
  dpkg-query ${sysroot:+"--root=$sysroot"} -W -f '${Package} ${Version}\n' "${engine_libraries[@]}"
}

# engine_notices: where the source of mgba-headless' libraries is, their licences as Debian has them, and the texts that these refer to
engine_notices() {
  local file files=("${engine_libraries[@]/#/$sysroot/usr/share/doc/}")
  [ "$system" != windows ] || files=("$engine/licenses"/* "/usr/share/doc/$windows_runtime")
  printf '%s\n' "mgba-headless contains mGBA and the static libraries below. mGBA is under the Mozilla Public License 2.0; its source, Debian's package with Debian's" \
    "patches, is at the following address, with these SHA-256 sums. scripts/engine in the source of mGBA-bridge builds it, and headless/Makefile links" \
    "it: with them anyone can link other versions of these libraries." "" "$(< "$engine/source")" "" "$(engine_packages)"
  for file in "$engine"/share/doc/mGBA/LICENSE "${files[@]}" /usr/share/common-licenses/{LGPL-2.1,LGPL-3,GPL-3}; do
    [ ! -d "$file" ] || file=$file/copyright
    printf '\n%s\n\n' "------------------------------ ${file##*/doc/}"
    cat "$file"
  done
}

# least_glibc FILE...: the version of glibc that the programs need at least, as 2.34
least_glibc() { readelf -VW "$@" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1 | sed 's/.*_//'; }

# dependencies FILE...: the C library, not older than the symbols that the programs use; they may be linked with nothing else
dependencies() {
  local others
  others=$(readelf -dW "$@" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | grep -vE '^(libc|libm|ld-linux-[a-z0-9-]*)\.so\.[0-9]$' | sort -u | paste -sd ' ') || true
  [ -z "$others" ] || fail "the programs are linked with more than the C library: $others"
  printf 'libc6 (>= %s)' "$(least_glibc "$@")"
}

manual() { # manual DESCRIPTION PROGRAM
  "$root/scripts/lib/manual.py" "$1" "${emulated[@]}" "$2" | gzip -9n > "$stage/usr/share/man/man1/${2##*/}.1.gz"
}

completion() { # completion SHELL FILE
  mkdir -p "$(dirname "$stage/$2")"
  "${emulated[@]}" "$stage/usr/bin/mgba-bridge" completion "$1" > "$stage/$2" || fail "mgba-bridge has no completion for $1"
}

changelog() {
  printf 'mgba-bridge (%s) unstable; urgency=medium\n\n  * See docs/CHANGELOG.md.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -R -d "@$SOURCE_DATE_EPOCH")"
}

deb_files() { # deb_files RID
  local share=$stage/usr/share/mgba-bridge doc=$stage/usr/share/doc/mgba-bridge etc=$stage/etc/mgba-bridge
  mkdir -p "$stage/usr/bin" "$share" "$doc" "$stage/usr/share/man/man1" "$stage/lib/systemd/system" "$etc/emulators" "$stage/usr/share/lintian/overrides"
  install -m 755 "$program" "$stage/usr/bin/"
  add_headless "$stage/usr/bin" "$doc"
  install -m 644 "$script_lua" "$default_rom" "$share/"
  install -m 644 "$root/packaging/debian/copyright" "$root/THIRD-PARTY-NOTICES.txt" "$doc/"
  add_runtime_notices "$1" "$doc"
  "$root/scripts/lib/documents.py" "$doc"
  changelog | gzip -9n > "$doc/changelog.gz"
  install -m 644 "$root/packaging/debian/"*.service "$stage/lib/systemd/system/"
  install -m 644 "$project/appsettings.json" "$etc/"
  install -m 644 "$root/packaging/debian/example.conf" "$etc/emulators/"
  install -m 644 "$root/packaging/debian/lintian-overrides" "$stage/usr/share/lintian/overrides/mgba-bridge"
  manual "HTTP gateway for games in mGBA" "$stage/usr/bin/mgba-bridge"
  manual "emulator for Game Boy and Game Boy Advance games without a window" "$stage/usr/bin/mgba-headless"
  manual "runs Game Boy and Game Boy Advance ROMs that test themselves" "$stage/usr/bin/mgba-rom-test"
}

completions() {
  completion bash usr/share/bash-completion/completions/mgba-bridge
  completion zsh usr/share/zsh/vendor-completions/_mgba-bridge
  completion fish usr/share/fish/vendor_completions.d/mgba-bridge.fish
}

deb_control() {
  local control=$stage/DEBIAN
  mkdir -p "$control"
  install -m 755 "$root/packaging/debian/"{postinst,prerm,postrm} "$control/"
  install -m 644 "$root/packaging/debian/conffiles" "$control/"
  sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s|@MAINTAINER@|$maintainer|" -e "s/@SIZE@/$(du -sk --apparent-size --exclude=DEBIAN "$stage" | cut -f 1)/" \
    -e "s/@DEPENDS@/$(dependencies "$stage/usr/bin/mgba-bridge" "$stage/usr/bin/mgba-headless")/" "$root/packaging/debian/control" > "$control/control"
  (cd "$stage" && find etc lib usr -type f -print0 | sort -z | xargs -0 md5sum) > "$control/md5sums"
}

deb() { # deb RID
  local program headless file=mgba-bridge_${version}_${architectures[$1]}.deb
  have dpkg-deb || { unavailable "dpkg-deb is missing; this part needs Debian"; return; }
  program "$1"
  build_headless "$1"
  stage "deb-$1"
  deb_files "$1"
  completions
  deb_control
  find "$stage" -type d -exec chmod 755 {} +
  find "$stage" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  logged dpkg-deb dpkg-deb --root-owner-group -Zxz --build "$stage" "$dist/$file"
  done_with "$file"
}
