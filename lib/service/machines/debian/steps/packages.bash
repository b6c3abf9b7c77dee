# The packages of each part, with answers for those that ask. Apt is never allowed to remove any.
declare -A part_title=([web]='web server' [database]=database [mail]=mail [firewall]=firewall [updates]='security updates' [backups]='nightly backup')
declare -A main_package=([web]=apache2 [database]=mariadb-server [mail]=postfix [firewall]=ufw [updates]=unattended-upgrades [backups]=dpkg)
declare -A part_packages=(
  [web]='apache2 php-fpm php-cli php-mysql php-curl php-gd php-mbstring php-xml php-zip'
  [database]=mariadb-server [mail]=postfix [firewall]=ufw [updates]=unattended-upgrades [backups]=
)

# packages_for PART-LINE...: as they stand in the manifest; of parts that are kept, none.
packages_for() {
  local name state
  echo ca-certificates
  # Any cron will do.
  command -v crontab >/dev/null || echo cron
  while read -r _ _ name state _; do
    [[ $state == kept || -z ${part_packages[$name]} ]] || tr ' ' '\n' <<<"${part_packages[$name]}"
  done < <(printf '%s\n' "$@")
}

list_packages() {
  local lines
  mapfile -t lines < <(manifest_lines | grep '^# part ')
  packages_for "${lines[@]}"
}

probe_packages() {
  local wanted there
  mapfile -t wanted < <(list_packages)
  there=$(dpkg-query -W -f='${db:Status-Abbrev}\n' "${wanted[@]}") &&
    [[ $(grep -c '^ii' <<<"$there") == "${#wanted[@]}" && -z $(dpkg --audit) ]]
}

apply_packages() {
  local wanted
  mapfile -t wanted < <(list_packages)
  update_lists
  if [[ " ${wanted[*]} " == *' postfix '* ]] && ! is_installed postfix; then
    [[ ! -e /etc/mailname ]] || save_before /etc/mailname
    [[ ! -e /etc/aliases ]] || save_before /etc/aliases
    debconf-set-selections <<<'postfix postfix/main_mailer_type select Internet Site'
    debconf-set-selections <<<"postfix postfix/mailname string $(head -n 1 /etc/mailname 2>/dev/null || uname -n)"
  fi
  begin_parts
  apt_get install "${wanted[@]}"
  close_new_postfix
}

# Debian's Postfix listens to everybody, and a step before that of mail may fail.
close_new_postfix() {
  [[ $(part_state mail) == begun && -e $postfix_conf ]] || return 0
  [[ $(postconf -h inet_interfaces) != loopback-only ]] || return 0
  save_before "$postfix_conf"
  postconf -e 'inet_interfaces = loopback-only'
  ! postfix status &>/dev/null || systemctl restart postfix
}

# From here on what is installed of these parts is ours, whatever interrupts us.
begin_parts() {
  local name lines=()
  for name in "${parts[@]}"; do
    [[ $(part_state "$name") != absent ]] || lines+=("# part $name begun")
  done
  record "${lines[@]}"
}

# What did not get installed may be somebody else's the next time.
unwind_packages() {
  local name lines=()
  for name in "${parts[@]}"; do
    [[ $(part_state "$name") != begun ]] || is_installed "${main_package[$name]}" || lines+=("# part $name absent")
  done
  record "${lines[@]}"
  if [[ $(part_state web) == begun ]] && is_installed apache2; then unwind_web; fi
  close_new_postfix || true
}
