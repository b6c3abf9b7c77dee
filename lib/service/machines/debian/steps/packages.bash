# The packages of each part, with preset answers to their questions. Apt never removes a package here.
source host/program.bash
source steps/apt.bash
source steps/listeners.bash
source steps/mail.bash
source steps/manifest.bash
source steps/undo.bash
source steps/web.bash

declare -A part_title=([web]='web server' [database]=database [mail]=mail [firewall]=firewall [updates]='security updates' [backups]='nightly backup')
declare -A main_package=([web]=apache2 [database]=mariadb-server [mail]=postfix [firewall]=ufw [updates]=unattended-upgrades [backups]=dpkg)
declare -A part_packages=(
  [web]='apache2 php-fpm php-cli php-mysql php-bcmath php-curl php-gd php-imagick php-intl php-mbstring php-redis php-xml php-zip libfcgi-bin'
  [database]=mariadb-server [mail]=postfix [firewall]=ufw [updates]=unattended-upgrades [backups]=zstd
)

# packages_for PART-LINE...: takes lines of the manifest; a kept part needs no packages.
packages_for() {
  local name state
  printf '%s\n' ca-certificates python3
  # Any implementation of cron will do.
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
  compile_program
  # Debian restarts its own PHP-FPM when an extension comes, and not those of sites.
  systemctl reload 'gatehouse-php*@*.service' || true
  close_new_postfix
}

# Debian's Postfix listens on all addresses, and the run may fail before the mail step.
close_new_postfix() {
  [[ $(part_state mail) == begun && -e $postfix_conf ]] && ! email_is_on || return 0
  [[ $(postconf -h inet_interfaces) != loopback-only ]] || return 0
  save_before "$postfix_conf"
  postconf -e 'inet_interfaces = loopback-only'
  ! postfix status &>/dev/null || systemctl restart postfix
}

# From here on, packages of these parts count as Gatehouse's even if the run is interrupted.
begin_parts() {
  local name lines=()
  for name in "${parts[@]}"; do
    [[ $(part_state "$name") != absent ]] || lines+=("# part $name begun")
  done
  record "${lines[@]}"
}

# Packages that were not installed now may be installed by somebody else before the next run.
unwind_packages() {
  local name lines=()
  for name in "${parts[@]}"; do
    [[ $(part_state "$name") != begun ]] || is_installed "${main_package[$name]}" || lines+=("# part $name absent")
  done
  record "${lines[@]}"
  if [[ $(part_state web) == begun ]] && is_installed apache2; then unwind_web; fi
  close_new_postfix || true
}
