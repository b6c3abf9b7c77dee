# Postfix sends for this machine; it takes nothing from outside until mail is switched on for a site.
postfix_wants=('inet_interfaces = loopback-only' 'disable_vrfy_command = yes' 'smtpd_banner = $myhostname ESMTP')

probe_mail() {
  local setting
  for setting in "${postfix_wants[@]}"; do
    [[ $(postconf "${setting%% =*}") == "$setting" ]] || return 1
  done
  ! owes_restart postfix && systemctl -q is-enabled postfix && postfix status
}

apply_mail() {
  owe_restart postfix
  postconf -e "${postfix_wants[@]}"
  postfix check
  systemctl -q enable postfix
  systemctl restart postfix
  restart_paid postfix
}
