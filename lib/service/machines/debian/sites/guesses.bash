# Who guesses passwords is slowed by sshd itself since OpenSSH 9.8. Debian 12 has an older one, and gets fail2ban with the first site:
# docs/decisions/058-guesses-of-passwords.md. A fail2ban that is there already is its admin's.
source steps/apt.bash

guesses_conf=/etc/fail2ban/jail.d/gatehouse.local
# The addresses that Gatehouse has come from, the newest first: it must never be shut out, also where others guess from the same address.
peers_file=/var/lib/gatehouse/peers

# Reading them takes a while, so a script may have done it: `sshd_settings`.
sshd_settings() { if [[ -n ${sshd_settings-} ]]; then echo "$sshd_settings"; else sshd -T 2>/dev/null; fi; }

knows_penalties() { [[ $'\n'$(sshd_settings) == *$'\n'persourcepenalties\ * ]]; }

# note_peer PEER
note_peer() {
  [[ -n $1 && $1 != "$(head -n 1 "$peers_file" 2>/dev/null)" ]] || return 0
  install -d -m 700 "${peers_file%/*}"
  { echo "$1"; grep -vxF -- "$1" "$peers_file" 2>/dev/null | head -n 4 || true; } >"$peers_file.new"
  sync "$peers_file.new"
  mv -fT "$peers_file.new" "$peers_file"
}

# There once Gatehouse has installed fail2ban: an upgrade that is taken back leaves the package, without our settings.
guard_mark=/var/lib/gatehouse/fail2ban
needs_guard() { ! knows_penalties && { [[ ! -e /usr/bin/fail2ban-server ]] || [[ -e $guard_mark && ! -e $guesses_conf ]]; }; }

# Only sshd and other programs of root are believed; programs of sites reach no journal: confine.bash.
content_guesses() {
  cat <<END
# Put here by Gatehouse. Settings of your own belong into another file of this folder with a later name, such as local.local.
[sshd]
enabled = true
backend = systemd
journalmatch = SYSLOG_IDENTIFIER=sshd _UID=0
port = $(sshd_settings | sed -n 's/^port //p' | sort -u | paste -sd ,)
banaction = nftables-multiport
maxretry = 10
findtime = 10m
bantime = 10m
ignoreip = 127.0.0.1/8 ::1 $(paste -sd ' ' "$peers_file" 2>/dev/null)
END
}

put_guesses() {
  content_guesses >"$guesses_conf.new"
  sync "$guesses_conf.new"
  mv -fT "$guesses_conf.new" "$guesses_conf"
}

# guard_logins: the settings come before the package, whose own do not start on Debian 12.
guard_logins() {
  local tries=50
  : >"$guard_mark"
  install -d -m 755 "${guesses_conf%/*}"
  put_guesses
  update_lists
  apt_get install fail2ban python3-systemd nftables
  systemctl -q enable --now fail2ban
  until fail2ban-client status sshd &>/dev/null; do
    ((tries-- > 0)) || { echo 'fail2ban does not run with the settings for SSH. See “journalctl -u fail2ban”.'; return 1; }
    sleep 0.2
  done
}

# admit_peer PEER: where Gatehouse comes from another address than before.
admit_peer() {
  note_peer "$1"
  [[ -e $guesses_conf ]] && ! cmp -s "$guesses_conf" <(content_guesses) || return 0
  put_guesses
  fail2ban-client reload sshd &>/dev/null || true
}
