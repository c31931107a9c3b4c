#!/bin/bash
# Installs the packages in a clean Debian 12 without SDK, runs them, and removes them: scripts/tests/install.sh
# Makes the packages (scripts/dist) and the system (debootstrap, kept in artifacts/clean-root); needs root, to change into it, and a Debian mirror.
# DIST_OUTPUT=folder takes packages that are already built.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/tests.sh
. "$root/scripts/lib/tests.sh"

cd "$root"
unset MGBA MAKEFLAGS MFLAGS MAKELEVEL MGBA_BRIDGE_PORT MGBA_BRIDGE_SECRET ASPNETCORE_URLS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clean=$artifacts/clean-root
version=$(< VERSION)
packages=${DIST_OUTPUT:-$work/dist}

missing() {
  result "a clean root: $*" 1
  total install
  exit 1
}

[ "$(id -u)" -eq 0 ] || missing "this needs root, to change into another system; run it as root or in a container"
unshare --mount --pid --fork true 2> /dev/null || missing "this needs the right to make namespaces (CAP_SYS_ADMIN); give it to the container"
scripts/install clean-root

make_packages() {
  [ -n "${DIST_OUTPUT:-}" ] || DIST_OUTPUT=$packages scripts/dist linux-x64 portable deb tool
}

make_root() {
  . scripts/lib/dist.sh
  [ -e "$clean/complete" ] && return
  rm -rf "$clean"
  mkdir -p "$clean"
  debian_root "$clean/root"
  chroot "$clean/root" apt-get update -q
  touch "$clean/complete"
}

# a copy with the packages and, beside them, the .NET SDK of this machine for those that want one
prepare() {
  cp -a "$clean/root" "$work/root"
  mkdir -p "$work/root/packages" "$work/root/sdk"
  cp "$packages"/mgba-bridge* "$root/scripts/tests/install-inside.sh" "$root"/packaging/container/{entrypoint,healthcheck} "$default_rom" "$work/root/packages/"
  cp /etc/resolv.conf "$work/root/etc/resolv.conf"
}

inside() {
  local sdk
  sdk=$(dirname "$(readlink -f "$(command -v dotnet)")")
  # shellcheck disable=SC2016 # the inner shell expands them
  unshare --mount --pid --fork --kill-child bash -c '
    mount --bind "$2" "$1/sdk" && mount -t proc proc "$1/proc" &&
      exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 VERSION="$3" bash /packages/install-inside.sh' - "$work/root" "$sdk" "$version"
}

for step in make_packages make_root prepare; do
  code=0
  $step > "$work/out" 2>&1 < /dev/null || code=$?
  [ $code -eq 0 ] || { result "${step//_/ }" $code "$work/out"; total install; exit 1; }
done
inside 2>&1 < /dev/null | tee "$work/inside" || true
passed=$(grep -c '^ok - ' "$work/inside" || true)
failed=$(grep -c '^not ok - ' "$work/inside" || true)
grep -q '^complete$' "$work/inside" || result "the tests in the clean root ended early" 1
total install
