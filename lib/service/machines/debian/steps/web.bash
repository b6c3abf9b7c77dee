# Apache with the event model, PHP beside it as FPM.
content_apache() {
  cat <<'END'
# Put here by Gatehouse.
ServerTokens Prod
ServerSignature Off
TraceEnable Off
END
}

apache_modules=(mpm_event proxy_fcgi setenvif rewrite headers)
apache_conf=/etc/apache2/conf-available/gatehouse.conf

php_version() {
  local folder
  folder=$(printf '%s\n' /etc/php/*/fpm | sort -V | tail -n 1)
  [[ -d $folder ]] && folder=${folder%/fpm} && echo "${folder##*/}"
}

answers_http() {
  local line
  exec 3<>/dev/tcp/127.0.0.1/80 && printf 'HEAD / HTTP/1.0\r\n\r\n' >&3 && read -r -t 10 -u 3 line && [[ $line == HTTP/1.* ]]
}

apache_is_set_up() {
  local module
  for module in "${apache_modules[@]}"; do
    [[ -e /etc/apache2/mods-enabled/$module.load ]] || return 1
  done
  [[ -e /etc/apache2/conf-enabled/php$1-fpm.conf && -e /etc/apache2/conf-enabled/gatehouse.conf ]]
}

probe_web() {
  local version
  version=$(php_version) && is_put "$apache_conf" content_apache && apache_is_set_up "$version" && ! owes_restart apache2 &&
    systemctl -q is-enabled apache2 "php$version-fpm" && systemctl -q is-active apache2 "php$version-fpm" && answers_http
}

apply_web() {
  local version module
  version=$(php_version)
  owe_restart apache2
  put "$apache_conf" 644 content_apache
  for module in /etc/apache2/mods-enabled/{mpm_prefork,mpm_worker,php*}.load; do
    [[ ! -e $module ]] || a2dismod -q -f "$(basename "$module" .load)"
  done
  a2enmod -q "${apache_modules[@]}"
  a2enconf -q "php$version-fpm" gatehouse
  apache2ctl configtest
  systemctl -q enable apache2 "php$version-fpm"
  systemctl restart "php$version-fpm" apache2
  restart_paid apache2
}
