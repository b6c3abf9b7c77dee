# Sets up SFTP. Values: the seconds in which a new login has to confirm it, Gatehouse's login user. Prints `ready` if there was nothing
# to do, `waiting` if it is to be confirmed. Exit code 65: the last line says why not.
set -euo pipefail
umask 022
mapfile -d '' -t values
refuse() { echo "$1"; exit 65; }
setting() { sshd -T 2>/dev/null | sed -n "s/^$1 //p" | head -n 1; }
exec 9>/run/gatehouse-sftp.lock && flock -w 60 9
if [[ -e $sftp_conf && ! -e $sftp_conf.unconfirmed ]]; then echo ready; exit; fi
sshd -t 2>/dev/null || refuse 'SSH’s configuration has an error here, so SFTP cannot be set up. Correct it first; nothing was changed.'
grep -qsiE '^[[:space:]]*Include[[:space:]]+("?/etc/ssh/)?sshd_config\.d/\*\.conf' /etc/ssh/sshd_config ||
  refuse 'sshd_config includes no drop-ins here (sshd_config.d), so SFTP cannot be set up. Nothing was changed.'
[[ -z $(setting allowusers) ]] ||
  refuse 'SSH admits only listed users here (AllowUsers), so users of sites could not sign in. Use AllowGroups with the group gatehouse-sites instead; nothing was changed.'
[[ -z $(setting allowgroups) ]] || sshd -T 2>/dev/null | grep -qx "allowgroups $sites_group" ||
  refuse "SSH admits only listed groups here (AllowGroups), so users of sites could not sign in. Add $sites_group to that line; nothing was changed."
require_room /etc/ssh /etc/systemd/system
effective() { sshd -T -C "user=${values[1]},host=,addr=" 2>/dev/null | grep -vi '^persourcepenaltyexemptlist'; }
before=$(effective)
write_sftp_undo "${values[0]}"
: >"$sftp_conf.unconfirmed"
systemctl restart "$sftp_unit.timer"
content_sftp "$(penalty_exemption)" >"$sftp_conf.new"
sync "$sftp_conf.new"
mv -f "$sftp_conf.new" "$sftp_conf"
if ! said=$(sshd -t 2>&1) || [[ $(effective) != "$before" ]]; then
  take_back
  refuse "SSH refuses the settings for SFTP${said:+: ${said%%$'\n'*}}. Nothing was changed."
fi
systemctl reload ssh || { take_back; refuse 'SSH could not be reloaded. Nothing was changed.'; }
echo waiting
