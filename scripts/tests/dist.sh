#!/bin/bash
# The packages of this system: built, their content, and the packed program compared with the one that is built from source.
# scripts/tests/install.sh installs them in a clean root.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/ports.sh
. "$root/scripts/lib/ports.sh"
# shellcheck source=../lib/processes.sh
. "$root/scripts/lib/processes.sh"
# shellcheck source=../lib/tests.sh
. "$root/scripts/lib/tests.sh"

cd "$root"
unset MGBA_BRIDGE_PORT MGBA MGBA_BRIDGE_SECRET ASPNETCORE_URLS Bridge__Http__Token MAKEFLAGS MFLAGS MAKELEVEL
work=$(mktemp -d)
pids=()
end_all() {
  local pid
  for pid in "${pids[@]}"; do finish "$pid" 10; done
  rm -rf "$work"
}
trap end_all EXIT
version=$(< VERSION)
output=$work/dist
archive=mgba-bridge-$version-linux-x64
deb=mgba-bridge_${version}_amd64.deb

# check NAME COMMAND...: one test
check() {
  local name=$1 code=0
  shift
  ("$@") > "$work/out" 2>&1 || code=$?
  result "$name" $code "$work/out"
}

wrong() { echo "$*"; exit 1; }

build() { DIST_OUTPUT=$output scripts/dist linux-x64 deb; }

unpack() {
  cd "$output"
  sha256sum -c --strict SHA256SUMS
  tar -xzf "$archive.tar.gz" -C "$work"
  dpkg-deb --raw-extract "$deb" "$work/deb"
}

# agrees NAME TEXT: the text has the version
agrees() { [[ " $2 " == *[\ \"]"$version"[\ \"]* ]] || wrong "$1 says: $2, and VERSION is $version"; }

versions_agree() {
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || wrong "VERSION is not three numbers: $version"
  agrees "the script" "$(grep -m 1 '^local VERSION' "$script_lua")"
  agrees openapi.json "$(grep -m 1 '"version"' docs/openapi.json)"
  agrees "the packed program" "$("$work/$archive/mgba-bridge" --version)"
  agrees "the packed emulator" "$("$work/$archive/mgba-headless" --version)"
  agrees "the deb" "$(dpkg-deb -f "$output/$deb" Version)"
  agrees "the manual page" "$(zcat "$work/deb/usr/share/man/man1/mgba-bridge.1.gz" | grep '^\.TH')"
  agrees "the newest heading of the changes" "$(grep -m 1 '^## ' docs/CHANGELOG.md | tr , ' ')"
}

# documents PROGRAM FOLDER: the program names this folder, what its help names is there, and so is what the documents link to
documents() {
  local program=$1 page
  cd "$2"
  for page in README.md docs/examples/bot.py docs/openapi.json; do [ -s $page ] || wrong "$page is missing"; done
  "$program" --help | grep -qxF "docs/ is in $(pwd -P)." || wrong "the help does not name $(pwd -P): $("$program" --help | tail -n 1)"
  for page in $({ "$program" --help; "$program" mcp --help; "$program" node --help; } | grep -o 'docs/[a-z-]*\.md'); do [ -s "$page" ] || wrong "the help names $page"; done
  "$root/scripts/lib/documents.py" --check .
}

archive_is_complete() {
  cd "$work/$archive"
  local file
  for file in mgba-bridge mgba-headless; do [ -x $file ] || wrong "$file cannot be executed"; done
  for file in README.txt LICENSE THIRD-PARTY-NOTICES.txt DOTNET-THIRD-PARTY-NOTICES.txt; do [ -s $file ] || wrong "$file is missing"; done
  cmp mgba-bridge.lua "$script_lua"
  ! tar -tvzf "$output/$archive.tar.gz" | grep -v ' 0/0 ' || wrong "files do not belong to root"
  ! grep -ralF "$root" . || wrong "these contain a path of this machine"
}

deb_is_complete() {
  cd "$work/deb"
  local file shell
  for file in usr/bin/mgba-bridge usr/bin/mgba-headless usr/share/mgba-bridge/mgba-bridge.lua usr/share/mgba-bridge/mgba-bridge-test.gba \
    lib/systemd/system/mgba-bridge.service lib/systemd/system/mgba-bridge-emulator@.service usr/share/doc/mgba-bridge/copyright \
    usr/share/doc/mgba-bridge/DOTNET-THIRD-PARTY-NOTICES.txt usr/share/man/man1/mgba-bridge.1.gz usr/share/man/man1/mgba-headless.1.gz; do
    [ -s $file ] || wrong "$file is missing"
  done
  for file in bash-completion/completions/mgba-bridge zsh/vendor-completions/_mgba-bridge fish/vendor_completions.d/mgba-bridge.fish; do
    grep -q suggest usr/share/$file || wrong "the completion $file is missing"
  done
  cmp usr/bin/mgba-bridge "$work/$archive/mgba-bridge"
  sort -o "$work/conffiles" DEBIAN/conffiles
  find etc -type f -printf '/%p\n' | sort | diff - "$work/conffiles"
  md5sum -c --quiet DEBIAN/md5sums
  for file in libc6 libmgba libssl3; do dpkg-deb -f "$output/$deb" Depends | grep -q "$file" || wrong "it does not depend on $file"; done
  ! dpkg-deb -c "$output/$deb" | grep -v ' root/root ' || wrong "files do not belong to root"
  for shell in "$root"/packaging/debian/{postinst,prerm,postrm}; do sh -n "$shell"; done
}

manual_pages() {
  local page problems
  for page in "$work"/deb/usr/share/man/man1/*.gz; do
    problems=$(zcat "$page" | LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l - 2>&1 > "$work/page")
    [ -z "$problems" ] || wrong "$problems"
    grep -qi 'exit codes' "$work/page" || wrong "$page does not have the text of --help"
    ! grep -F "$artifacts" "$work/page" || wrong "$page has a path of this machine"
  done
}

# gateway NAME COMMAND...: with an emulator of its own; sets $url
gateway() {
  local name=$1 port
  shift
  port=$(next_free 8930)
  MGBA_BRIDGE_PORT=$port start "$work/$name-emulator.log" "$work/$archive/mgba-headless" --stats 0 --saves "$work" --script "$work/$archive/mgba-bridge.lua" -- "$default_rom"
  pids+=("$started")
  listens() { gone "$started" || ! port_free "$port"; }
  until_true 30 listens || true
  mkdir -p "$work/$name"
  start "$work/$name.log" env HOME="$work/$name" "$@" --contentRoot "$work/$name" --http-port 0 --emulator-port "$port"
  pids+=("$started")
  ready() {
    url=$(sed -n 's/.*Now listening on: //p' "$work/$name.log" 2> /dev/null || true)
    gone "$started" || { [ -n "$url" ] && curl -fs -m 5 -o /dev/null "$url/readyz"; }
  }
  until_true 60 ready || true
  alive "$started" || { cat "$work/$name.log" "$work/$name-emulator.log"; return 1; }
}

compare_endpoints() {
  local url first
  gateway compiled dotnet "$(readlink -f "$artifacts/gateway")/mgba-bridge.dll" || return 1
  first=$url
  gateway packed "$work/$archive/mgba-bridge" || return 1
  python3 scripts/tests/dist_endpoints.py "$first" "$url"
}

# Only the hash of one package differs.
another_package() {
  local assets=$artifacts/dist/native-linux-x64/obj/MgbaBridge.Gateway/project.assets.json lock=gateway/src/MgbaBridge.Gateway/packages.lock.json
  sed '0,/"contentHash": "..../s//"contentHash": "AAAA/' $lock > "$work/lock.json"
  ! scripts/lib/locked.py "$assets" "$work/lock.json" > "$work/said" 2>&1 || wrong "it is not noticed"
  grep -q 'has the hash' "$work/said"
}

container_files() {
  local code=0
  have npm || wrong "npm is missing; make test installs it where it may"
  npx --yes --ignore-scripts dockerfilelint@1.8.0 packaging/container/Containerfile || code=$?
  return $code
}

check "make dist builds the archive and the deb" build
if [ "$failed" -eq 0 ]; then
  check "the packages match SHA256SUMS and can be unpacked" unpack
  check "a package with another hash than in the lock file is refused" another_package
  check "all parts have the version of the file VERSION" versions_agree
  check "the archive is complete" archive_is_complete
  check "the archive has the documents" documents "$work/$archive/mgba-bridge" "$work/$archive"
  check "the deb has the documents" documents "$work/deb/usr/bin/mgba-bridge" "$work/deb/usr/share/doc/mgba-bridge"
  check "the packed program starts" scripts/tests/start-archive.sh "$output" linux-x64
  check "the deb is complete" deb_is_complete
  check "the manual pages have no errors" manual_pages
  check "dotnet builds the program to compare with" scripts/build gateway
  code=0
  compare_endpoints > "$work/out" 2>&1 || code=$?
  result "the packed program responds like the one that the runtime compiles" $code "$work/out"
  [ $code -ne 0 ] || tail -n 1 "$work/out"
fi
check "the Containerfile has no warnings" container_files
refused "an unknown part" 'there is no part "nonsense"; the parts are linux-x64' scripts/dist nonsense
total dist
