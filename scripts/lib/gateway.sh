# shellcheck shell=bash disable=SC2034,SC2154
# The command that starts the gateway.

first_http_port=5000

# choose_http_port: $http_port from HTTP_PORT, which must be free when it is set
choose_http_port() {
  if [ -n "${HTTP_PORT:-}" ]; then
    want_port HTTP_PORT "$HTTP_PORT"
    http_port=$HTTP_PORT
  else
    http_port=$(next_free "$first_http_port")
    [ "$http_port" = "$first_http_port" ] || say "port $first_http_port is in use by $(port_owner "$first_http_port"), so the gateway uses $http_port"
  fi
}

# prepare_gateway: fills $gateway_command; it reads the settings file in the program's folder, not one in the caller's folder
prepare_gateway() {
  local folder
  folder=$(readlink -f "$artifacts/gateway")
  gateway_command=(dotnet "$folder/mgba-bridge.dll" --contentRoot "$folder" --http-port "$http_port")
}
