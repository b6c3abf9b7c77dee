#!/bin/sh
# as.sh service|portal COMMAND...: runs a command of docs/running.md as one half's user, on its files and with its settings.
set -eu
half=$1
shift
set -a
[ ! -f "/etc/gatehouse/$half.env" ] || . "/etc/gatehouse/$half.env"
GATEHOUSE_DATA=/var/lib/gatehouse-$half/data
GATEHOUSE_KEYS=/var/lib/gatehouse-$half/keys
cd "$(dirname "$(readlink -f "$0")")/../.."
exec runuser -u "gatehouse-$half" -- "$@"
