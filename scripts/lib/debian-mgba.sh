#!/bin/bash
# Prints the folder of the mGBA of another Debian, which it makes unless it is there: scripts/lib/debian-mgba.sh 0.10.5
# Nothing runs in that system: its loader starts mgba-qt, and the mgba-headless that is built against its libmgba, with its libraries.
unset MGBA
. "$(dirname "$0")/common.sh"

declare -A releases=([0.10.1]=bookworm [0.10.5]=trixie)
version=$1 release=${releases[$1]:-}
[ -n "$release" ] || fail "MGBA=$version is none of ${!releases[*]}, and not a folder (a path with a /)"
folder=$artifacts/mgba-$version
mkdir -p "$artifacts"
exec {lock}> "$folder.lock"
flock "$lock"
"$root/scripts/lib/debian-root.sh" "$folder" "$release" --variant=extract --include=base-files,libmgba-dev,mgba-qt >&2 {lock}>&-
libraries=$(echo "$folder"/usr/lib/*-linux-gnu)
[ -e "$libraries"/libmgba.so."$version" ] || fail "Debian $release has another mGBA now: $(cd "$libraries" && echo libmgba.so.*.*.*). Change the version in ${BASH_SOURCE[0]##*/} and test_versions.py"
cat > "$folder/mgba-qt" <<END
#!/bin/sh
export QT_PLUGIN_PATH=$libraries/qt5/plugins LIBGL_DRIVERS_PATH=$libraries/dri
exec $(echo "$libraries"/ld-linux*) --argv0 "\$0" --library-path $libraries:$libraries/blas:$libraries/lapack:$libraries/pulseaudio $folder/usr/games/mgba-qt "\$@"
END
chmod +x "$folder/mgba-qt"
printf '%s\n' "$folder"
