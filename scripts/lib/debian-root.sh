#!/bin/bash
# Makes a folder with another Debian, unless it is there: scripts/lib/debian-root.sh FOLDER RELEASE [arguments of mmdebstrap]
# The packages come from the mirror that this Debian uses, or from Debian's own. Without root it needs the right to make user namespaces.
. "$(dirname "$0")/common.sh"

folder=$1 release=$2
shift 2
[ ! -d "$folder" ] || exit 0
"$root/scripts/install" clean-root
mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\(http[^ ]*\) .*/\2/p' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2> /dev/null | grep -v security | head -n 1) || true # one of the two files may be missing
mirror=${mirror:-http://deb.debian.org/debian}
mkdir -p "$logs" "$(dirname "$folder")"
log=$logs/debian-$release.log
say "making Debian $release in $(shown "$folder") (log: $(shown "$log"))"
rm -rf "$folder.part"
# a mirror may be a snapshot
if ! timeout 15m mmdebstrap --aptopt='Acquire::Check-Valid-Until "false"' "$@" "$release" "$folder.part" "$mirror" < /dev/null > "$log" 2>&1; then
  tail -n 20 "$log" >&2
  fail "Debian $release could not be made from $mirror within 15 minutes; this needs a network and mmdebstrap. The complete log is $(shown "$log")"
fi
mv "$folder.part" "$folder"
