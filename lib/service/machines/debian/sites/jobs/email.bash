# Switches email of the site. on: yes or no.
source changes/room.bash
source facts/web-ports.bash
source sites/mail-ports.bash
source sites/mail-programs.bash
source sites/mail-server.bash
source sites/mail.bash
source sites/refuse.bash
source sites/run.bash
source sites/site.bash
source steps/listeners.bash
source steps/mail.bash
source steps/manifest.bash

job_email() {
  local on
  read_values "$@"
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  if [[ $on == yes ]]; then
    take 2 'Check the server' check_email
    take 10 'Mail programs' install_mail_programs
    take 55 'Addresses' note_email yes
    # Also where it is open already: switching on again repairs what is missing.
    take 60 'Mail server' open_mail
    take 80 'Firewall' open_mail_ports login
    take 92 'Check the mail server' prove_mail
  else
    take 10 'Check the server' require_room /etc /var/lib/gatehouse
    take 20 'Addresses' note_email no
    take 40 'Mail server' settle_mail login
  fi
  # From here on there is nothing to take back.
  pass_return
  : >"$job_home/settled"
  sync "$job_home"
  end_email
}

end_email() {
  progress=100
  forget_closed_mail
  if [[ -e $mail_on ]]; then end 'done' "Email of $domain is on."; fi
  end 'done' "Email of $domain is off. Its addresses are kept."
}

check_email() {
  local each there
  case $(part_state mail) in
    ours)
      is_installed postfix || refuse "$(find_mail | grep . || echo 'Postfix was removed here.') Gatehouse forwards mail by a Postfix that it has set up, so nothing was changed."
      ;;
    kept) refuse "$(kept_reason mail) Gatehouse forwards mail only by a Postfix that it has set up itself, so nothing was changed." ;;
    *) not_installed 'The mail server is not set up here. Use Install or Reinstall on the page of the server, which adds it.' ;;
  esac
  for each in "${mail_packages[@]}"; do
    ! is_installed "$each" || own_mail_packages | grep -xF "$each" >/dev/null ||
      refuse "$(mail_product "$each") is installed here, and Gatehouse did not do it. Email of sites needs one of its own, so nothing was changed."
  done
  [[ -e $mail_open ]] || require_free_ports
  [[ $(mail_hostname) == *.* ]] ||
    refuse "The hostname of this server is $(mail_hostname). Other mail servers expect a complete one, such as server.example.org: set it on the page Settings of the server. Nothing was changed."
  [[ -n $(postconf -M smtp/inet 2>/dev/null) ]] || refuse 'Postfix has no service smtp in its master.cf here. Nothing was changed.'
  postfix status &>/dev/null || refuse 'Postfix does not run here. Start it, then try again. Nothing was changed.'
  require_room /etc /var/lib/gatehouse /var/spool/postfix
}

require_free_ports() {
  local port there
  for port in 465 587; do
    there=$(program_on "$port")
    [[ -z $there ]] || refuse "$there serves port $port here already. Nothing was changed."
  done
  for port in "${mail_ports[@]}"; do
    ! sshd -T 2>/dev/null | grep -x "port $port" >/dev/null || refuse "SSH listens on port $port here, which mail needs. Nothing was changed."
    command -v ufw >/dev/null || { iptables_may_accept "$port" && nftables_may_accept "$port"; } ||
      refuse "The firewall of this server blocks port $port. Allow the ports 25, 465 and 587 there first; nothing was changed."
  done
}

# note_email ON: what a failed switch goes back to, then the switch. The key is made once: its public half is in DNS.
note_email() {
  if [[ ! -e $job_home/email-was ]]; then
    keep_postfix
    if [[ -e $mail_on ]]; then echo yes; else echo no; fi >"$job_home/email-was.new"
    sync "$job_home/email-was.new"
    mv -T "$job_home/email-was.new" "$job_home/email-was"
    sync "$job_home"
  fi
  install -d -m 700 "$mail_settings"
  [[ $1 != yes || -s $dkim_key ]] || openssl genrsa 2048 2>/dev/null | write_file "$dkim_key" 600
  switch_email "$1"
}

switch_email() {
  if [[ $1 == yes ]]; then : >"$mail_on"; else rm -f "$mail_on"; fi
  sync "$mail_settings"
}

undo_email() {
  [[ ! -e $job_home/settled ]] || end_email
  if [[ -e $job_home/email-was ]]; then take_back restore_email 'Switch email again.'; else forget_kept_postfix; fi
}

restore_email() {
  take_back_rules
  switch_email "$(<"$job_home/email-was")"
  if [[ -e $mail_on ]] && is_closing; then reopen_mail; else settle_mail alone; fi
  forget_closed_mail
}
