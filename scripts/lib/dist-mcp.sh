# shellcheck shell=bash disable=SC2154
# How clients of MCP install the program: bundles, and the entry of the MCP registry that names them.

declare -A platforms=([linux-x64]=linux [linux-arm64]=linux [win-x64]=win32) # Node's names

# mcpb RID: a bundle with the program and mgba-headless, which clients such as Claude Desktop open
mcpb() {
  local program file=mgba-bridge-$version-$1.mcpb
  program "$1"
  build_headless "$1"
  stage "mcpb-$1"
  install -d "$stage/server"
  install -m 755 "$program" "$headless" "$stage/server/"
  install -m 644 "$root/LICENSE" "$root/THIRD-PARTY-NOTICES.txt" "$stage/"
  add_runtime_notices "$1"
  engine_notices > "$stage/MGBA-HEADLESS-THIRD-PARTY-NOTICES.txt"
  sed "s/@VERSION@/$version/; s/@PROGRAM@/${program##*/}/; s/@PLATFORM@/${platforms[$1]}/" "$root/packaging/mcp/manifest.json" > "$stage/manifest.json"
  rm -f "$dist/$file"
  "$root/scripts/lib/zip.py" "$dist/$file" "$stage" .
  done_with "$file"
}

# server_json: the entry of the MCP registry, for the bundles in $dist; GITHUB_REPOSITORY is the owner and name of the repository whose release has them
server_json() {
  local bundles=("$dist"/mgba-bridge-"$version"-*.mcpb)
  [ -n "${GITHUB_REPOSITORY:-}" ] || { unavailable "GITHUB_REPOSITORY, owner and name of the repository, is not set"; return; }
  [ -f "${bundles[0]}" ] || { unavailable "there are no bundles (mcpb-linux-x64) in $(shown "$dist")"; return; }
  python3 "$root/scripts/lib/registry.py" "$version" "$GITHUB_REPOSITORY" "${bundles[@]}" > "$dist/server.json"
  done_with server.json
}
