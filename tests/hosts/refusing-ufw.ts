/** A UFW that fails halfway through a change. */

/** The unit that guards the undo of a change. */
export const timerUnit = '/etc/systemd/system/gatehouse-firewall.timer'

/** Replaces UFW: refuses the second rule that it is given, and counts them. */
export const refusesSecond = `#!/bin/sh
case " $* " in *" insert "* | *" prepend "* | *" allow "*)
  count=$(($(cat /run/planted-changes 2>/dev/null || echo 0) + 1))
  echo "$count" >/run/planted-changes
  [ "$count" -lt 2 ] || { echo 'ERROR: planted' >&2; exit 1; } ;;
esac
exec /usr/sbin/ufw-itself "$@"
`
