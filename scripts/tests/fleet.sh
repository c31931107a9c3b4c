#!/bin/bash
# A fleet with PostgreSQL, a two-node Slurm, two gateways and eight games, whose parts fail (tests/fleet). It needs root for Slurm; where a program or
# a privilege is missing, the suite fails and says so.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/tests.sh
. "$root/scripts/lib/tests.sh"

if ! reason=$("$root/scripts/install" fleet 2>&1); then
  result "the programs of the fleet's tests cannot be installed: $reason" 1
  total fleet
fi
exec "$root/scripts/pytest" fleet "$root/tests/fleet" "$@"
