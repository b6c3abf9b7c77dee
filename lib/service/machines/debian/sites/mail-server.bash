# Opens Postfix to the network for the first site with email, and closes it after the last one. Its former settings are kept and put back.
source sites/apache.bash
source sites/mail-ports.bash
source sites/mail-programs.bash
source sites/mail.bash
source sites/site.bash
source steps/mail.bash
source steps/units.bash

mail_keys=(
  inet_interfaces virtual_alias_domains virtual_alias_maps recipient_canonical_maps recipient_canonical_classes smtpd_helo_required
  smtpd_relay_restrictions smtpd_recipient_restrictions smtpd_tls_security_level smtpd_tls_chain_files tls_server_sni_maps
)
former_postfix=$mail_home/postfix-before
# Postfix's settings as they were before a switch, beside them: they come back by a rename, for which a full disk has room.
kept_postfix=$mail_home/kept-postfix

former_setting() { sed -n "s/^$1 = //p" "$former_postfix"; }

# with_former KEY VALUE: what an admin has there stays in front.
with_former() { printf '%s = %s\n' "$1" "$(former_setting "$1" | sed 's/.\{1,\}/&, /')$2"; }

# srs_map DIRECTION
srs_map() {
  if ! srs_is_first; then
    echo "socketmap:unix:gatehouse-srs:$1"
  elif [[ $1 == forward ]]; then
    echo tcp:127.0.0.1:10781
  else
    echo tcp:127.0.0.1:10782
  fi
}

# From outside, only addresses of sites get mail, and bounces come back; nothing is relayed.
mail_postfix_settings() {
  echo 'inet_interfaces = all'
  with_former virtual_alias_domains "texthash:$mail_home/domains"
  with_former virtual_alias_maps "texthash:$mail_home/aliases"
  with_former recipient_canonical_maps "$(srs_map reverse)"
  echo 'recipient_canonical_classes = envelope_recipient, header_recipient'
  echo 'smtpd_helo_required = yes'
  echo 'smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination'
  echo "smtpd_recipient_restrictions = permit_mynetworks, check_recipient_access texthash:$mail_home/recipients, reject_unlisted_recipient, check_recipient_access regexp:$mail_home/srs-recipients, reject"
  echo 'smtpd_tls_security_level = may'
  has_other_certificate || echo "smtpd_tls_chain_files = $server_chain"
  echo "tls_server_sni_maps = texthash:$mail_home/sni"
}

# Without a certificate for names that no site has, Postfix offers TLS for none. Nobody verifies this one.
server_chain=$mail_home/server.pem
write_server_chain() {
  [[ ! -s $server_chain ]] || return 0
  openssl req -x509 -newkey rsa:2048 -nodes -keyout - -days 7300 -subj "/CN=$(mail_hostname)" 2>/dev/null | write_file "$server_chain" 600
}

# One that an admin or Debian has set.
has_other_certificate() {
  local each
  [[ -z $(former_setting smtpd_tls_chain_files) ]] || return 0
  for each in $(postconf -xh smtpd_tls_cert_file smtpd_tls_eccert_file); do [[ ! -s $each ]] || return 0; done
  return 1
}

# submission PORT OPTION...: only over TLS, only with the password of an address, and only as that address.
submission() {
  local each
  postconf -Me "$1/inet=$1 inet n - n - - smtpd"
  for each in "${@:2}" syslog_name=postfix/submission smtpd_sasl_auth_enable=yes smtpd_sasl_type=dovecot \
    smtpd_sasl_path=private/gatehouse-logins smtpd_sasl_security_options=noanonymous smtpd_tls_auth_only=yes \
    smtpd_client_restrictions=permit_sasl_authenticated,reject smtpd_relay_restrictions=permit_sasl_authenticated,reject \
    smtpd_recipient_restrictions=permit_sasl_authenticated,reject \
    "smtpd_sender_login_maps=texthash:$mail_home/senders" smtpd_sender_restrictions=reject_sender_login_mismatch \
    smtpd_data_restrictions=check_policy_service,unix:private/gatehouse-limit smtpd_client_auth_rate_limit=20 \
    smtpd_milters=unix:gatehouse-signing/socket milter_default_action=accept; do
    postconf -Pe "$1/inet/$each"
  done
}

write_mail_postfix() {
  local wanted
  [[ -e $former_postfix ]] || postconf -n "${mail_keys[@]}" 2>/dev/null | write_file "$former_postfix" 600
  # Anybody who finds this knows that Postfix may not have been restarted yet.
  : >"$mail_home/owes-restart"
  mapfile -t wanted < <(mail_postfix_settings)
  keep_noted postconf -e "${wanted[@]}"
  postconf -Me "gatehouse-cleanup/unix=gatehouse-cleanup unix n - n - 0 cleanup"
  postconf -Pe "gatehouse-cleanup/unix/sender_canonical_maps=$(srs_map forward)" gatehouse-cleanup/unix/sender_canonical_classes=envelope_sender
  postconf -Me "gatehouse-limit/unix=gatehouse-limit unix - n n - 0 spawn user=gatehouse-mail argv=$limit_program"
  postconf -Pe smtp/inet/cleanup_service_name=gatehouse-cleanup
  submission 587 smtpd_tls_security_level=encrypt
  submission 465 smtpd_tls_wrappermode=yes
  : >"$mail_open"
  sync "$mail_home"
}

put_back_setting() {
  if grep "^$1 = " "$former_postfix" >/dev/null; then postconf -e "$(grep "^$1 = " "$former_postfix")"; else postconf -X "$1"; fi
}

put_back_settings() {
  local each
  for each in "${mail_keys[@]}"; do put_back_setting "$each"; done
}

put_back_postfix() {
  local each
  # Postfix may have been removed.
  [[ -e $former_postfix ]] && command -v postconf >/dev/null || return 0
  : >"$mail_home/owes-restart"
  keep_noted put_back_settings
  for each in 587/inet 465/inet gatehouse-cleanup/unix gatehouse-limit/unix; do
    [[ -z $(postconf -M "$each" 2>/dev/null) ]] || postconf -MX "$each"
  done
  postconf -PX smtp/inet/cleanup_service_name 2>/dev/null || true
  rm -f "$mail_open"
}

restart_postfix() {
  [[ -e $mail_home/owes-restart ]] && command -v postfix >/dev/null || return 0
  postfix check
  restart_unit postfix
  rm -f "$mail_home/owes-restart"
}

open_mail() {
  write_mail_maps
  write_mail_programs
  write_server_chain
  run_mail_programs
  write_mail_postfix
  restart_postfix
}

# close_mail HOW: removes no file that opening it again would have to write. HOW: see change_rules.
close_mail() {
  put_back_postfix
  restart_postfix
  close_mail_ports "$1"
  stop_mail_programs
}

# forget_closed_mail: what nobody needs any more, once nothing goes back to an open mail server.
forget_closed_mail() {
  local each
  forget_kept_postfix
  ! some_mail_is_on && [[ ! -e $mail_open ]] || return 0
  for each in "${mail_units[@]}"; do rm -f "/etc/systemd/system/$each.service"; done
  systemctl daemon-reload
  rm -f "$limit_program" "$former_postfix" "$opened_ports" "$server_chain" \
    "$mail_home"/{domains,aliases,recipients,senders,sni,logins,signing_keys,signed} "$mail_home"/{tls,dkim}/*.pem
}

forget_kept_postfix() { rm -rf -- "$kept_postfix" "$kept_postfix.new"; }

# keep_postfix: before a switch.
keep_postfix() {
  forget_kept_postfix
  # Postfix may have been removed.
  [[ -e $mail_open && -e $postfix_conf ]] || return 0
  install -d -m 700 "$kept_postfix.new"
  cp -p "${postfix_conf%/*}"/{main,master}.cf "$kept_postfix.new/"
  sync "$kept_postfix.new"/*
  mv -T "$kept_postfix.new" "$kept_postfix"
  sync "$mail_home"
}

# Closing begins with the one, and ends without the other.
is_closing() { [[ -d $kept_postfix ]] && { [[ -e $mail_home/owes-restart ]] || [[ ! -e $mail_open ]]; }; }

# reopen_mail: takes a closing back that has not ended.
reopen_mail() {
  : >"$mail_home/owes-restart"
  keep_noted put_kept_postfix
  : >"$mail_open"
  open_mail_ports alone
  run_mail_programs
  refresh_mail
  restart_postfix
}

# postconf leaves its own file beside them when it is killed.
put_kept_postfix() {
  local each
  for each in main.cf master.cf; do
    [[ ! -e $kept_postfix/$each ]] || mv -fT -- "$kept_postfix/$each" "${postfix_conf%/*}/$each"
    rm -f -- "${postfix_conf%/*}/$each.tmp"
  done
}

# settle_mail HOW: makes the server what the sites on it want: open as long as email is on for one.
settle_mail() {
  if ! some_mail_is_on; then
    [[ -d $mail_home ]] || return 0
    close_mail "$1"
  elif [[ -e $mail_open ]]; then
    refresh_mail
  else
    open_mail
    open_mail_ports "$1"
  fi
}

# greeting PORT: what answers there, as somebody outside would get it.
greeting() {
  local address
  address=$(apache_addresses | head -n 1)
  timeout 15 bash -c 'exec 4<>"/dev/tcp/$0/$1" && read -r -t 12 line <&4 && echo "$line"' "$address" "$1" 2>/dev/null || true
}

prove_mail() {
  local port
  for port in 25 587; do
    [[ $(greeting "$port") == 220* ]] || { echo "Postfix does not answer at port $port. See the log “mail” of the server."; return 1; }
  done
  [[ -S /var/spool/postfix/private/gatehouse-logins ]] || { echo 'Dovecot does not check logins.'; return 1; }
}
