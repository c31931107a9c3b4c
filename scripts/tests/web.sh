#!/bin/bash
# Pages in a real browser, against an emulator and gateway of their own.
# shellcheck disable=SC2016 # the inner shell expands them
exec "$(dirname "$0")/../with-instance" sh -c 'exec "$0" "$BASE_URL" "$LUA_PORT"' "$(dirname "$0")/web.py"
