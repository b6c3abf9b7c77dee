# While a site is replaced, Apache answers 503 for it, so that nobody sees half of it. The site's PHP is stopped.
source sites/apache.bash
source sites/site.bash
source steps/manifest.bash

content_pause() {
  cat <<'END'
# Put here by Gatehouse while the site is replaced.
RedirectMatch 503 "^/(?!\.well-known/(acme-challenge|gatehouse)/)"
ErrorDocument 503 "This site is being restored. Try again in a few seconds."
<IfModule headers_module>
  Header always set Retry-After 2
</IfModule>
END
}

# Loading the module could change how sites of an admin answer.
load_headers() {
  [[ ! -e /etc/apache2/mods-enabled/headers.load && $(part_state web) == ours ]] || return 0
  a2enmod -q headers >/dev/null
}

# Sets the note `running` if PHP of the site was, or should be: an earlier pause may not have ended.
begin_pause() {
  local unit tries=50
  unit=$(php_unit "$(site_php)")
  if systemctl -q is-active "$unit" || systemctl -q is-enabled "$unit"; then : >"$job_home/running"; fi
  : >"$job_home/paused"
  sync "$job_home"
  install -d -m 755 "$settings/apache"
  content_pause | write_file "$settings/apache/$pause_name" 644
  reload_apache
  # With SSL, http only leads to https.
  until [[ $(ask_apache "$domain" /.gatehouse | head -n 1) =~ ^HTTP/[0-9.]+\ (503|301) ]]; do
    ((tries-- > 0)) || { echo "Apache does not pause the site. Its virtual host may not include $settings/apache."; return 1; }
    sleep 0.02
  done
  # Quiet, because systemd warns of unit files wherever a site was added since it read them.
  systemctl -q stop "$unit"
}

end_pause() {
  [[ -e $job_home/paused ]] || return 0
  if [[ -e $job_home/running ]]; then systemctl -q start "$(php_unit "$(site_php)")" || { echo 'PHP of the site did not start.'; return 1; }; fi
  rm -f -- "$settings/apache/$pause_name"
  reload_apache
  rm -f -- "$job_home/paused"
}
