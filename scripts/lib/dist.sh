# shellcheck shell=bash disable=SC2034,SC2154
# What packages are made from: the version, publishing the program, staging files, archives that are the same whenever they are built.

version=$(< "$root/VERSION")
dist=${DIST_OUTPUT:-$root/dist}
dist_work=$artifacts/dist # intermediate files; each form has a folder of its own, because forms in one folder mix their files
project=$root/gateway/src/MgbaBridge.Gateway
build_log=$logs/dist-build.log # dist.log is the output of the tests

# The time of all files in packages: that of the commit, unless the environment sets one as https://reproducible-builds.org has it.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2> /dev/null || stat -c %Y "$root/VERSION")}
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
umask 022

# logged DESCRIPTION COMMAND...: its output goes to the log, and is shown when it fails
logged() {
  local what=$1 log
  shift
  log=$(mktemp)
  if ! "$@" < /dev/null > "$log" 2>&1; then
    tail -n 40 "$log" >&2
    rm -f "$log"
    fail "$what failed"
  fi
  cat "$log" >> "$build_log"
  rm -f "$log"
}

# publish FORM [RID]: the program in Distribution.props' form; sets $published to its folder
publish() {
  local form=$1 rid=${2:-}
  local folder=$dist_work/$form${rid:+-$rid}
  published=$folder/program
  rm -rf "$published"
  want_sdk
  logged "dotnet publish of $form $rid" dotnet publish "$project" -c Release -p:Distribution="$form" ${rid:+-r "$rid"} -o "$published" --artifacts-path "$folder" -v quiet
}

# stage NAME: an empty folder $stage whose name is that of the archive
stage() {
  stage=$dist_work/stage/$1
  rm -rf "$stage"
  mkdir -p "$stage"
}

# add_documents: the files of every archive
add_documents() {
  install -m 644 "$root/LICENSE" "$root/THIRD-PARTY-NOTICES.txt" "$script_lua" "$stage/"
  install -m 644 "$root/packaging/README.txt" "$stage/README.txt"
  sed -i "s/@VERSION@/$version/" "$stage/README.txt"
  "$root/scripts/lib/documents.py" "$stage"
}

# add_runtime_notices RID [FOLDER]: those of the .NET runtime that a self-contained program contains
add_runtime_notices() {
  local pack
  pack=$(nuget_packages)/microsoft.netcore.app.runtime.$1/$(dotnet msbuild "$project" -getProperty:BundledNETCoreAppPackageVersion)
  [ -f "$pack/THIRD-PARTY-NOTICES.TXT" ] || fail "there are no notices of the .NET runtime in $pack"
  install -m 644 "$pack/THIRD-PARTY-NOTICES.TXT" "${2:-$stage}/DOTNET-THIRD-PARTY-NOTICES.txt"
}

nuget_packages() { dotnet nuget locals global-packages --list | sed 's/^[^:]*: *//; s|/$||'; }

# pack_tar, pack_zip: $stage as an archive in $dist, the same for the same files
pack_tar() {
  local name=${stage##*/}
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -C "${stage%/*}" -cf - "$name" | gzip -9n > "$dist/$name.tar.gz"
  done_with "$name.tar.gz"
}

pack_zip() {
  local name=${stage##*/}
  "$root/scripts/lib/zip.py" "$dist/$name.zip" "${stage%/*}" "$name"
  done_with "$name.zip"
}

done_with() { say "$(du -h "$dist/$1" | cut -f 1)  $(shown "$dist")/$1"; }
