# Removes everything of a site and nothing else. May be repeated after any interruption; without the record there is nothing to remove.
remove_site() {
  local unit
  is_ours || return 0
  # The path of the last backup, if there is one: a deletion that is repeated makes no other.
  [[ -e $settings/removing ]] || { [[ ! -e $job_home/backup ]] || cat "$job_home/backup"; } | write_file "$settings/removing" 600
  if [[ -e $vhost || -L $vhost_link ]]; then
    rm -f "$vhost_link" "$vhost"
    reload_apache || echo 'Apache still serves the site until it is reloaded.'
  fi
  # A reload that failed, or a boot in between, must not leave the folder in use.
  unit=$(php_unit "$(site_php)")
  systemctl -q disable --now "$unit" 2>/dev/null || true
  systemctl reset-failed "$unit" 2>/dev/null || true
  ! command -v mariadb >/dev/null || drop_database
  if id -u -- "$name" &>/dev/null; then
    pkill -KILL -u "$name" || true
    crontab -r -u "$name" 2>/dev/null || true
    userdel -f -- "$name" 2>/dev/null
  fi
  ! getent group "$name" >/dev/null || groupdel -- "$name"
  rm -rf --one-file-system -- "$home" "$logs" "$proofs" "/var/mail/$name" "/run/gatehouse-sites/$name"
  forget_orders
  find "$settings" -mindepth 1 ! -path "$settings/site" ! -path "$settings/removing" -delete
  rm -f "$unfinished"
  sync -f /etc
  rm -rf -- "$settings"
}
