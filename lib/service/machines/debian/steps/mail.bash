# Postfix sends mail from this server; it accepts none from outside until email is turned on for a site, which leaves this file. The queue names
# senders and recipients of everybody. Commands of a .forward file would run outside of what confines a site.
source steps/files.bash
source steps/listeners.bash
source steps/manifest.bash
source steps/undo.bash
source steps/units.bash

email_is_on() { [[ -e /etc/gatehouse/mail/open ]]; }
postfix_interfaces() { if email_is_on; then echo all; else echo loopback-only; fi; }
postfix_restrictions=('authorized_mailq_users = root' 'allow_mail_to_commands = alias' 'allow_mail_to_files = alias')
postfix_wants=("inet_interfaces = $(postfix_interfaces)" 'disable_vrfy_command = yes' 'smtpd_banner = $myhostname ESMTP' "${postfix_restrictions[@]}")
postfix_conf=/etc/postfix/main.cf

find_mail() {
  local there
  there=$(product_of "$(mail_package)")
  if [[ $there == Postfix ]]; then
    echo 'Postfix is the mail server here; it is left as it is.'
    return
  fi
  [[ -z $there ]] || there="$there is the mail server here"
  [[ -n $there ]] || there=$(program_on 25 | sed 's/$/ serves port 25 here/')
  [[ -n $there || ! -e /usr/sbin/sendmail ]] || there='/usr/sbin/sendmail is here'
  kept_because "$there" Postfix 'Postfix is not installed'
}

# Prints the installed mail server. There is at most one, because Debian's mail servers conflict with each other.
mail_package() {
  dpkg-query -W -f='${db:Status-Abbrev} ${Package} ${Provides}\n' |
    awk '$1 !~ /^.[nc]/ && !found && (/mail-transport-agent/ || $2 ~ /^(exim4-daemon|postfix$|sendmail-bin$|opensmtpd$)/) { found = 1; print $2 }'
}

postfix_is_changed() { [[ $(part_state mail) == ours ]] && ! is_unchanged_since "$postfix_conf"; }

lacking_settings() {
  local setting now
  for setting in "${postfix_wants[@]}"; do
    now=$(postconf "${setting%% =*}")
    [[ $now == "$setting" ]] || echo "$now"
  done
}

probe_mail() {
  { postfix_is_changed || [[ -z $(lacking_settings) ]]; } && ! owes_restart postfix || return 1
  is_switched_off postfix || { systemctl -q is-enabled postfix && postfix status; }
}

# One by one, because what is new to the file comes in any order otherwise; beside it, because a part of it would be taken for an admin's change.
edit_postfix() {
  local setting work=/etc/gatehouse/postfix.new
  rm -rf "$work"
  install -d -m 700 "$work"
  cp -p "$postfix_conf" "$work/main.cf"
  for setting in "${postfix_wants[@]}"; do postconf -c "$work" -e "$setting"; done
  sync "$work/main.cf"
  mv -fT "$work/main.cf" "$postfix_conf"
  rmdir "$work"
}

# Whether main.cf is as Gatehouse last wrote it is noted in the manifest, and stays noted.
keep_noted() {
  local unedited=''
  ! is_unchanged_since "$postfix_conf" || unedited=yes
  "$@"
  [[ -z $unedited ]] || record_edited "$postfix_conf"
}

apply_mail() {
  owe_restart postfix
  if ! postfix_is_changed; then
    save_before "$postfix_conf"
    edit_postfix
    record_edited "$postfix_conf"
  fi
  postfix check
  run_units postfix
  restart_paid postfix
}

unwind_mail() { systemctl -q try-restart postfix || true; }

differences_mail() {
  local setting
  while read -r setting; do
    echo "Postfix: “$setting” was set by hand and is left as it is."
  done < <(lacking_settings)
  tell_switched_off postfix
}
