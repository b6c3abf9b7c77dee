# What new sites need of Apache and MariaDB, whoever set these up. Without it each site is refused (sites/check.bash), so the install and the summary
# say it before. Each function prints a sentence, or nothing.

is_part_kept() { grep -qs "^# part $1 kept " /etc/gatehouse/manifest; }

needs_web() {
  local each model='' modules=''
  if [[ ! -x /usr/sbin/apache2 ]]; then
    ! is_part_kept web || echo 'Sites need Apache, so none can be created here.'
    return 0
  fi
  for each in /etc/apache2/mods-enabled/mpm_*.load; do
    [[ ! -e $each ]] || each=${each##*/} model=${each%.load}
  done
  [[ ! $model =~ ^(|mpm_event|mpm_worker)$ ]] || return 0
  for each in /etc/apache2/mods-enabled/php*.load; do
    [[ ! -e $each ]] || each=${each##*/} modules+=" ${each%.load}"
  done
  echo "Sites cannot be created here while Apache runs with $model${modules:+, as mod_php needs it}:${modules:+ let PHP-FPM run the PHP of what is served here, then} run “a2dismod$modules $model”, “a2enmod mpm_event” and “systemctl restart apache2”."
}

needs_database() {
  if ! command -v mariadbd >/dev/null; then
    ! is_part_kept database || echo 'Sites need MariaDB, so none can be created here.'
  elif mariadb_denies_root; then
    echo 'Sites cannot be created here while MariaDB asks root for a password: run “mariadb -u root -p”, and there “ALTER USER root@localhost IDENTIFIED VIA unix_socket OR mysql_native_password USING PASSWORD('"'that password'"')”.'
  fi
}

mariadb_denies_root() {
  local said
  said=$(timeout 3 mariadb --no-defaults --user=root --protocol=socket --execute='SELECT 1' 2>&1 </dev/null) && return 1
  [[ $said == *'Access denied'* ]]
}
