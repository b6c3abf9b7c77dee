#!/bin/sh
# as.sh service|portal COMMAND...: runs a command of docs/running.md as one half's user, on its files and with its settings. Run as root.
# systemd itself reads the settings, as it does for the half's unit, so that no shell ever runs what is in that file.
set -eu
half=$1
shift
case $half in
  service | portal) ;;
  *)
    echo "as.sh: '$half' is neither service nor portal." >&2
    exit 2
    ;;
esac
# A unit can open fewer files than its user. `config check` says what the unit can use, so it runs with the unit's rules for files, drop-ins included.
rules=
case " $* " in
  *' config check '*)
    rules=$(systemctl show "gatehouse-$half.service" |
      sed -n 's/^\(\(ProtectSystem\|ProtectHome\|PrivateTmp\|PrivateDevices\|\(ReadWrite\|ReadOnly\|Inaccessible\|Exec\|NoExec\)Paths\)=.\)/--property=\1/p')
    ;;
esac
# systemd would replace variables in the command by their values.
for word; do
  shift
  escaped=$(printf '%s.' "$word" | sed 's/\$/$$/g')
  set -- "$@" "${escaped%.}"
done
state=/var/lib/gatehouse-$half
project=/opt/gatehouse/current
unit=gatehouse-$half-command-$$
# A signal reaches this script, but not what systemd has started.
trap 'systemctl stop "$unit" 2>/dev/null || true' INT TERM HUP
# In the background, so that the trap runs at once. The shell would give it no input there.
exec 3<&0
# Each line of the rules is one argument.
set -f
IFS='
'
# shellcheck disable=SC2086
systemd-run --quiet --collect --pipe --wait --unit="$unit" \
  --uid="gatehouse-$half" --working-directory="$project" \
  --setenv=GATEHOUSE_DATA="$state/data" --setenv=GATEHOUSE_KEYS="$state/keys" \
  --property=StateDirectory="gatehouse-$half/data gatehouse-$half/keys" --property=StateDirectoryMode=0700 \
  --property=EnvironmentFile="-/etc/gatehouse/$half.env" --property=UMask=0077 \
  $rules \
  -- "$@" <&3 3<&- &
code=0
wait "$!" || code=$?
exit "$code"
