#!/bin/bash
# Runs inside the clean root that scripts/tests/install.sh makes: /packages has the packages, /sdk the .NET SDK, VERSION is the version.
set -uo pipefail

limit=5    # seconds from the start to the first answer about the game
attempts=3 # a busy machine may be slower
export DEBIAN_FRONTEND=noninteractive DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
deb=/packages/mgba-bridge_${VERSION}_amd64.deb
started=()

# check NAME COMMAND...: one test
check() {
  local name=$1
  shift
  if ("$@") > /tmp/out 2>&1 < /dev/null; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    tail -n 30 /tmp/out | sed 's/^/# /'
  fi
}

# There is no curl in here, which is the point.
get() { # get PATH [TOKEN]: the response of the gateway; false unless it is 200
  local status
  exec 3<> "/dev/tcp/127.0.0.1/5000" || return 1
  printf 'GET %s HTTP/1.0\r\nHost: localhost:5000\r\n%s\r\n' "$1" "${2:+Authorization: Bearer $2$'\r\n'}" >&3
  read -r _ status _ <&3
  cat <&3
  exec 3>&-
  [ "$status" = 200 ]
} 2> /dev/null

# start COMMAND...: in the background, as a user without rights, in a folder of its own
start() {
  mkdir -p /tmp/run
  chown nobody /tmp/run
  (cd /tmp/run && exec setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp/run "$@") >> /tmp/log 2>&1 &
  started+=($!)
}

stop() {
  kill -TERM "${started[@]}" 2> /dev/null
  wait "${started[@]}"
  started=()
}

# first_game START: calls START and waits for the first answer about the game; prints the seconds it took
first_game() {
  local began=$EPOCHREALTIME end=$((SECONDS + 60))
  "$1"
  until get /v2/game > /tmp/game; do
    [ $SECONDS -lt $end ] || { stop; grep -v ' stats ' /tmp/log; return 1; }
    sleep 0.02
  done
  took=$(((${EPOCHREALTIME/./} - ${began/./}) / 1000))
  stop
  grep -q '"title":"MGBABRIDGE"' /tmp/game
}

# in_time START: within the limit, in one of the attempts
in_time() {
  local attempt
  for ((attempt = 1; attempt <= attempts; attempt++)); do
    : > /tmp/log
    first_game "$1" || return 1
    echo "$took ms" | tee -a /tmp/times
    [ "$took" -gt $((limit * 1000)) ] || return 0
  done
  return 1
}

# timed NAME START: a test that also prints what it measured
timed() {
  rm -f /tmp/times
  check "$1" in_time "$2"
  [ ! -f /tmp/times ] || echo "# $1: $(tail -n 1 /tmp/times)"
}

rom=/packages/mgba-bridge-test.gba
start_deb() { start mgba-bridge run --no-browser; }

folder=/opt/mgba-bridge-$VERSION-linux-x64
start_archive() { start "$folder/mgba-bridge" run --no-browser; }

start_portable() {
  start "$folder/mgba-headless" --script "/opt/mgba-bridge-$VERSION-portable/mgba-bridge.lua" --saves /tmp/run -- $rom
  start /sdk/dotnet "/opt/mgba-bridge-$VERSION-portable/mgba-bridge.dll"
}

start_tool() {
  start "$folder/mgba-headless" --script "$folder/mgba-bridge.lua" --saves /tmp/run -- $rom
  start env DOTNET_ROOT=/sdk /opt/tool/mgba-bridge
}

install_deb() { apt-get install -qy --no-install-recommends "$deb"; }

# The image is the deb with two scripts. They run here as in a container: as user 10001, who can write the volume only, not even /tmp.
volume=/var/lib/mgba-bridge
as_container=(setpriv --reuid=10001 --regid=10001 --clear-groups env -i "PATH=$PATH" "HOME=$volume")
container_settings=/etc/mgba-bridge/appsettings.json

make_container() {
  install -D -m 755 -t /usr/lib/mgba-bridge /packages/entrypoint /packages/healthcheck
  mkdir -p $volume && chown 10001:10001 $volume
}

# start_container [NAME=VALUE...]: waits until the health check succeeds
start_container() {
  local end=$((SECONDS + 60))
  : > /tmp/log
  # shellcheck disable=SC2016 # the inner shell expands it
  (exec unshare --mount --propagation unchanged bash -c 'mount -t tmpfs -o ro none /tmp && exec "$@" /usr/lib/mgba-bridge/entrypoint' - "${as_container[@]}" "$@") >> /tmp/log 2>&1 &
  started+=($!)
  until "${as_container[@]}" "$@" /usr/lib/mgba-bridge/healthcheck 2> /dev/null; do
    if [ $SECONDS -ge $end ] || ! kill -0 "${started[@]}"; then
      stop
      cat /tmp/log
      return 1
    fi
    sleep 0.1
  done
}

# stop_container: SIGTERM ends it with exit code 0
stop_container() {
  local code=0
  kill -TERM "${started[@]}"
  wait "${started[@]}" || code=$?
  started=()
  [ $code -eq 0 ] || echo "the exit code is $code"
  return $code
}

# answers TOKEN: with this token, and not without
answers() {
  local code=0
  get /v2/game "$1" > /tmp/game || { echo "the token $1 is refused"; code=1; }
  ! get /v2/game > /tmp/game || { echo "no token is needed"; code=1; }
  return $code
}

container_makes_a_token() { # container_makes_a_token [NAME=VALUE...]
  start_container "$@" || return 1
  answers "$(sed -n 's/^No token is set.* the token of this start is //p' /tmp/log)"
  local code=$?
  stop_container && return $code
}

container_has_a_token() { # container_has_a_token TOKEN [NAME=VALUE...]
  local token=$1 code=0
  shift
  start_container "$@" || return 1
  answers "$token" || code=1
  ! grep 'No token is set' /tmp/log || code=1
  stop_container && return $code
}

# with_settings JSON COMMAND...: with these settings instead of those of the package
with_settings() {
  local code=0
  cp $container_settings /tmp/settings
  printf '%b' "$1" > $container_settings
  shift
  "$@" || code=1
  cp /tmp/settings $container_settings
  return $code
}

container_without_volume() {
  ! "${as_container[@]}" Bridge__Owned__DataFolder=/root /usr/lib/mgba-bridge/entrypoint > /tmp/said 2>&1 || return 1
  grep -q 'The folder /root cannot be used by user 10001' /tmp/said
}

units() {
  apt-get install -qy --no-install-recommends systemd || return 1
  local problems
  cp /etc/mgba-bridge/emulators/example.conf /etc/mgba-bridge/emulators/test.conf
  problems=$(systemd-analyze verify --man=no mgba-bridge.service mgba-bridge-emulator@test.service 2>&1 | grep mgba)
  rm /etc/mgba-bridge/emulators/test.conf
  [ -z "$problems" ] || { echo "$problems"; return 1; }
}

removed() {
  dpkg -L mgba-bridge | while read -r file; do [ -d "$file" ] || echo "$file"; done > /tmp/files
  apt-get remove -qy mgba-bridge || return 1
  [ -f /etc/mgba-bridge/appsettings.json ] || { echo "the settings are gone after remove"; return 1; }
  [ ! -e /usr/bin/mgba-bridge ] && [ ! -e /usr/share/mgba-bridge ]
}

purged() {
  apt-get purge -qy mgba-bridge || return 1
  local file
  while read -r file; do [ ! -e "$file" ] || { echo "$file is left"; return 1; }; done < /tmp/files
  [ ! -e /etc/mgba-bridge ] && [ ! -e /var/lib/mgba-bridge ] && ! dpkg -l mgba-bridge 2> /dev/null | grep -q '^[a-z][ic]'
}

unpack_archive() { tar -xzf "/packages/mgba-bridge-$VERSION-linux-x64.tar.gz" -C /opt; }

unpack_portable() {
  apt-get install -qy --no-install-recommends libmgba0.10 libssl3 unzip || return 1
  unzip -q "/packages/mgba-bridge-$VERSION-portable.zip" -d /opt
}

# lacks PACKAGE: run, mcp and doctor end with exit code 1 and name the package on their last line
lacks() {
  local verb code
  for verb in run mcp doctor; do
    code=0
    HOME=/tmp/lacks "$folder/mgba-bridge" $verb > /tmp/said 2>&1 < /dev/null || code=$?
    if [ $code -ne 1 ] || ! tail -n 1 /tmp/said | grep -qF "apt install $1"; then
      echo "$verb, exit code $code:"
      cat /tmp/said
      return 1
    fi
  done
}

lacks_openssl() {
  ! "$folder/mgba-bridge" token > /tmp/said 2>&1 || return 1
  grep -qF 'apt install libssl3' /tmp/said && "$folder/mgba-bridge" version && lacks libssl3
}

lacks_libmgba() { apt-get install -qy --no-install-recommends libssl3 && lacks libmgba0.10; }

# has_documents PROGRAM...: its help names a folder with the documents and examples, and each document that it names is there
has_documents() {
  local folder page
  "$@" --help > /tmp/help || return 1
  folder=$(sed -n 's|^docs/ is in \(.*\)\.$|\1|p' /tmp/help)
  echo "the folder is \"$folder\""
  for page in README.md docs/examples/bot.py $(grep -o 'docs/[a-z-]*\.md' /tmp/help); do
    [ -s "$folder/$page" ] || { echo "there is no $page"; return 1; }
  done
}

install_tool() {
  /sdk/dotnet tool install mgba-bridge --tool-path /opt/tool --source /packages --version "$VERSION" || return 1
  chmod -R a+rX /opt/tool # for the user that runs it below
  DOTNET_ROOT=/sdk /opt/tool/mgba-bridge --version | grep -qF "$VERSION"
}

check "the archive can be unpacked" unpack_archive
check "the archive has the documents that the help names" has_documents "$folder/mgba-bridge"
check "without OpenSSL the program names its package" lacks_openssl
check "without libmgba the program names its package" lacks_libmgba
check "apt installs the deb" install_deb
check "the program completes its verbs" grep -qx status <(mgba-bridge '[suggest:15]' 'mgba-bridge sta')
check "the program has its version" grep -qx "mgba-bridge $VERSION" <(mgba-bridge --version)
check "the deb has the documents that the help names" has_documents mgba-bridge
timed "the deb runs: first /v2/game within $limit s" start_deb
check "the container's scripts and user" make_container
check "the container makes a token, answers with it, and is healthy" container_makes_a_token
check "the container uses the token of its environment" container_has_a_token of-the-environment-0123 Bridge__Http__Token=of-the-environment-0123
check "the container uses the token of its settings" with_settings '{"Bridge": {"Http": {\n  "Token": "of-the-settings-0123456789"}}}' \
  container_has_a_token of-the-settings-0123456789
check "a token in a comment is none, and the data folder is made" with_settings '{\n  // "Token": "of-a-comment-0123456789"\n}' \
  container_makes_a_token Bridge__Owned__DataFolder=$volume/games
check "the container says that it cannot write its data folder" container_without_volume
rm -rf /usr/lib/mgba-bridge $volume
check "systemd accepts the units" units
check "remove leaves the settings alone" removed
check "the package can be installed again" install_deb
check "purge leaves nothing" purged
check "the portable archive can be unpacked" unpack_portable
check "the portable archive has the documents that the help names" has_documents /sdk/dotnet "/opt/mgba-bridge-$VERSION-portable/mgba-bridge.dll"
timed "the archive runs: first /v2/game within $limit s" start_archive
timed "the portable archive runs: first /v2/game within $limit s" start_portable
check "dotnet installs the tool" install_tool
check "the tool has the documents that the help names" has_documents env DOTNET_ROOT=/sdk /opt/tool/mgba-bridge
timed "the tool runs: first /v2/game within $limit s" start_tool
echo complete
