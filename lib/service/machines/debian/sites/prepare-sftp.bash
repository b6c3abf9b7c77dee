# Sets up SFTP, or exempts the address that Gatehouse has by now. Values: the seconds in which a new login has to confirm it, Gatehouse's login
# user. Prints `ready` if there is nothing to confirm, else `waiting`. Exit code 65: the last line says why not.
source changes/room.bash
source install/peer-address.bash
source sites/guesses.bash
source sites/sftp.bash

set -euo pipefail
umask 022
mapfile -d '' -t values
refuse() { echo "$1"; exit 65; }
has_setting() { [[ $'\n'$sshd_settings == *$'\n'"$1 "* ]]; }
install -d -m 700 /run/gatehouse
exec 9>/run/gatehouse/sftp.lock && flock -w 60 9
sshd_settings=$(sshd -T 2>/dev/null) || refuse 'SSH’s configuration has an error here, so SFTP cannot be set up. Correct it first; nothing was changed.'
grep -qsiE '^[[:space:]]*Include[[:space:]]+("?/etc/ssh/)?sshd_config\.d/\*\.conf' /etc/ssh/sshd_config ||
  refuse 'sshd_config includes no drop-ins here (sshd_config.d), so SFTP cannot be set up. Nothing was changed.'
! has_setting allowusers ||
  refuse 'SSH admits only listed users here (AllowUsers), so users of sites could not sign in. Use AllowGroups with the group gatehouse-sites instead; nothing was changed.'
! has_setting allowgroups || [[ $'\n'$sshd_settings$'\n' == *$'\n'"allowgroups $sites_group"$'\n'* ]] ||
  refuse "SSH admits only listed groups here (AllowGroups), so users of sites could not sign in. Add $sites_group to that line; nothing was changed."
peer=$(peer_address)
admit_peer "$peer"
if [[ -e $sftp_conf && ! -e $sftp_conf.unconfirmed ]]; then
  # This line alone can keep nobody out, so no login has to confirm it.
  # One of the admin's own that comes first wins, whatever ours says.
  if ! is_exempt "$peer" && ! grep -F -- "$peer" "$sftp_conf" >/dev/null; then
    require_room /etc/ssh
    { penalty_exemption "$peer"; grep -v '^PerSourcePenaltyExemptList ' "$sftp_conf"; } >"$sftp_conf.new"
    # This file names no host keys, and Debian's own may be gone.
    # shellcheck disable=SC2046 # An option and its value for each key.
    sshd -t -f "$sftp_conf.new" $(sed -n 's/^hostkey /-h /p' <<<"$sshd_settings")
    sync "$sftp_conf.new"
    mv -f "$sftp_conf.new" "$sftp_conf"
    systemctl reload ssh
  fi
  echo ready
  exit
fi
require_room /etc/ssh /etc/systemd/system
effective() { sshd -T -C "user=${values[1]},host=,addr=" 2>/dev/null | grep -vi '^persourcepenaltyexemptlist'; }
before=$(effective)
write_sftp_undo "${values[0]}"
: >"$sftp_conf.unconfirmed"
systemctl restart "$sftp_unit.timer"
content_sftp "$(penalty_exemption "$peer")" >"$sftp_conf.new"
sync "$sftp_conf.new"
mv -f "$sftp_conf.new" "$sftp_conf"
if ! said=$(sshd -t 2>&1) || [[ $(effective) != "$before" ]]; then
  take_back
  refuse "SSH refuses the settings for SFTP${said:+: ${said%%$'\n'*}}. Nothing was changed."
fi
systemctl reload ssh || { take_back; refuse 'SSH could not be reloaded. Nothing was changed.'; }
echo waiting
