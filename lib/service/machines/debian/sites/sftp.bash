# SFTP for the users of sites: each in its own folder, by password or a key of its own (sftp-keys.bash), and nothing else. The first site sets it up.
# A change of SSH is kept only if a new login of ours succeeds; until then a unit on disk waits to take it back, also at boot.
source sites/guesses.bash

sites_group=gatehouse-sites
sftp_conf=/etc/ssh/sshd_config.d/60-gatehouse-sites.conf
sftp_unit=gatehouse-sftp-undo

# Failed logins of a site's user must not shut Gatehouse out, which may come from the same address. Of OpenSSH before 9.8: guesses.bash.
exempt_addresses() { sshd_settings | sed -n 's/^persourcepenaltyexemptlist //p' | grep -vx none | head -n 1 || true; }

# is_exempt PEER: also where nobody is punished, and for an address that is not known.
is_exempt() { [[ -z $1 ]] || ! knows_penalties || [[ ,$(exempt_addresses), == *",$1,"* ]]; }

# penalty_exemption PEER: the line that adds it to those that are exempt already; nothing if that needs none.
penalty_exemption() {
  local known
  ! is_exempt "$1" || return 0
  known=$(exempt_addresses)
  echo "PerSourcePenaltyExemptList ${known:+$known,}$1"
}

content_sftp() {
  cat <<END
# Put here by Gatehouse.
$1
Match Group $sites_group
  ChrootDirectory %h
  ForceCommand internal-sftp -d /public -u 0022
  AuthorizedKeysFile /etc/ssh/gatehouse-sites/%u
  AuthenticationMethods any
  PasswordAuthentication yes
  PermitTTY no
  DisableForwarding yes
END
}

write_sftp_undo() {
  cat >"/etc/systemd/system/$sftp_unit.service" <<END
[Unit]
Description=Takes back a change of SSH that was not confirmed
ConditionPathExists=$sftp_conf.unconfirmed
DefaultDependencies=no
After=local-fs.target
Before=ssh.service

[Service]
Type=oneshot
ExecStart=/bin/rm -f $sftp_conf $sftp_conf.unconfirmed
ExecStartPost=-/bin/systemctl --no-block try-reload-or-restart ssh.service

[Install]
WantedBy=multi-user.target
END
  printf '[Timer]\nOnActiveSec=%s\nAccuracySec=1s\n' "$1" >"/etc/systemd/system/$sftp_unit.timer"
  systemctl daemon-reload
  systemctl -q enable "$sftp_unit.service"
}

remove_sftp_undo() {
  systemctl stop "$sftp_unit.timer" 2>/dev/null || true
  systemctl -q disable "$sftp_unit.service" 2>/dev/null || true
  rm -f "/etc/systemd/system/$sftp_unit".{service,timer}
  systemctl daemon-reload
}

take_back() {
  rm -f "$sftp_conf" "$sftp_conf.unconfirmed"
  remove_sftp_undo
}
