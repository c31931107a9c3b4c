#!/bin/bash
# Unpacks the archive of a system and starts its program, on that system: scripts/tests/start-archive.sh FOLDER RID
# It must print its version and answer /healthz, and its mgba-headless must start, which that of macOS lacks.
# Runs with the bash of Windows and macOS as well, without anything else of this project.
set -euo pipefail

version=$(tr -d '\r\n' < "$(dirname "$0")/../../VERSION")
name=mgba-bridge-$version-$2
work=$(mktemp -d)
extension=
case $2 in
  win-*)
    unzip -q "$1/$name.zip" -d "$work"
    extension=.exe
    ;;
  *) tar -xzf "$1/$name.tar.gz" -C "$work" ;;
esac
program=$work/$name/mgba-bridge$extension

found=$("$program" --version | tr -d '\r')
[ "$found" = "mgba-bridge $version" ] || { echo "--version prints \"$found\", expected \"mgba-bridge $version\""; exit 1; }

[[ $2 == osx-* ]] || "$work/$name/mgba-headless$extension" --version

"$program" --http-port 0 > "$work/log" 2>&1 &
pid=$!
trap 'kill $pid 2> /dev/null || true; wait $pid 2> /dev/null || true; rm -rf "$work"' EXIT
end=$((SECONDS + 60))
url=
until [ -n "$url" ] && curl -fsS -m 5 "$url/healthz" 2> /dev/null; do
  if [ $SECONDS -gt $end ] || ! kill -0 $pid 2> /dev/null; then
    echo "/healthz was not answered:"
    cat "$work/log"
    exit 1
  fi
  sleep 0.1
  url=$(sed -n 's/.*Now listening on: //p' "$work/log" | tr -d '\r' | head -n 1)
done
echo
echo "$name starts and answers"
