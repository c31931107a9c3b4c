# shellcheck shell=bash disable=SC2034,SC2154
# The OCI image, by buildah. Where no registry can be reached, its base is made by mmdebstrap.

registry_base=docker.io/library/debian:12-slim

# Without a container's own file systems and namespaces: this works as root inside another container as well.
use_plain_storage() {
  [ "$(id -u)" -ne 0 ] || export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs} BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}
}

# local_base_image ARCHITECTURE NAME: Debian by mmdebstrap, as an image
local_base_image() {
  local container folder=$dist_work/base-$1
  [ "$(id -u)" -eq 0 ] && have mmdebstrap || return 1
  logged mmdebstrap "$root/scripts/lib/debian-root.sh" "$folder" bookworm --variant=minbase "--architectures=$1"
  container=$(buildah from --arch "$1" scratch)
  buildah copy -q "$container" "$folder" / > /dev/null
  buildah commit -q "$container" "$2" > /dev/null
  buildah rm "$container" > /dev/null
}

# choose_base ARCHITECTURE: sets $base
choose_base() {
  base=$registry_base
  ! buildah pull -q --arch "$1" "$base" > /dev/null 2>> "$build_log" || return 0
  base=localhost/mgba-bridge-base:bookworm-$1
  buildah inspect --type image "$base" > /dev/null 2>&1 || local_base_image "$1" "$base"
}

# image RID
image() {
  local base architecture=${architectures[$1]} context=$dist_work/image-$1 name=mgba-bridge-$version-image-$1
  local package=mgba-bridge_${version}_$architecture.deb tag=localhost/mgba-bridge:$version-$architecture
  have buildah || { unavailable "buildah is missing"; return; }
  [ -f "$dist/$package" ] || deb "$1"
  use_plain_storage
  choose_base "$architecture" || { unavailable "there is no base image: $registry_base cannot be pulled, and mmdebstrap needs root"; return; }
  rm -rf "$context"
  mkdir -p "$context"
  cp "$root/packaging/container/"* "$context/"
  cp "$dist/$package" "$context/mgba-bridge.deb"
  logged "buildah build" buildah build --format docker --pull=never --arch "$architecture" --timestamp "$SOURCE_DATE_EPOCH" --from "$base" --build-arg "VERSION=$version" -t "$tag" "$context"
  rm -f "$dist/$name.tar"
  logged "buildah push" buildah push -q "$tag" "docker-archive:$dist/$name.tar:mgba-bridge:$version"
  gzip -9nf "$dist/$name.tar"
  done_with "$name.tar.gz"
}
