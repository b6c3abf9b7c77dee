# Apache with the event MPM, and PHP-FPM.
source steps/files.bash
source steps/listeners.bash
source steps/manifest.bash
source steps/undo.bash
source steps/units.bash

content_apache() {
  cat <<'END'
# Put here by Gatehouse.
ServerTokens Prod
ServerSignature Off
TraceEnable Off
# Debian shows /server-status to every program of this server: with this, it names no requests of sites.
ExtendedStatus Off
# A process that still answers a slow visitor stays beyond each reload. With the default of 16, a few reloads leave no room for new ones.
# Requests that wait for PHP of a site hold threads: a site may hold a part of each process, so there are more than Debian's 150.
<IfModule mpm_event_module>
  Define gatehouse_threads
  ServerLimit 64
  StartServers 2
  ThreadLimit 200
  ThreadsPerChild 200
  MinSpareThreads 100
  MaxSpareThreads 400
  MaxRequestWorkers 400
</IfModule>
END
}

apache_modules=(mpm_event proxy_fcgi setenvif rewrite headers)
apache_conf=/etc/apache2/conf-available/gatehouse.conf
other_web_servers=(nginx nginx-core nginx-light nginx-full nginx-extras caddy lighttpd openresty haproxy varnish cherokee hiawatha)

find_web() {
  local there
  if is_installed apache2; then
    echo 'Apache is the web server here; it is left as it is.'
    return
  fi
  there=$(first_installed "${other_web_servers[@]}")
  [[ -z $there ]] || there="$there is the web server here"
  [[ -n $there ]] || there=$(installed 'php*-fpm' 'libapache2-mod-php*' 'php*-cgi' | sed -n '1s/$/ is set up here/p')
  [[ -n $there ]] || there=$(program_on 80 443 | sed 's/$/ serves port 80 or 443 here/')
  kept_because "$there" Apache 'Apache and PHP are not installed'
}

# The PHP version that Apache uses, else the newest one installed.
php_version() {
  local file
  file=$(printf '%s\n' /etc/apache2/conf-enabled/php*-fpm.conf | sort -V | tail -n 1)
  if [[ ! -e $file || $(part_state web) != ours ]]; then
    file=$(printf '%s\n' /etc/php/*/fpm | sort -V | tail -n 1)
    [[ -d $file ]] && file=${file%/fpm} && echo "${file##*/}"
    return
  fi
  file=${file##*/php}
  echo "${file%-fpm.conf}"
}

# After the first installation the choice of MPM is up to the admin.
has_other_model() { [[ $(part_state web) == ours ]] && compgen -G '/etc/apache2/mods-enabled/mpm_[!e]*.load' >/dev/null; }

wanted_modules() { printf '%s\n' "${apache_modules[@]}" | if has_other_model; then grep -v '^mpm_'; else cat; fi; }

wanted_confs() {
  echo "php$1-fpm"
  [[ ! -e $apache_conf ]] || echo gatehouse
}

answers_http() {
  local line
  [[ $(part_state web) != ours ]] || return 0
  exec 3<>/dev/tcp/127.0.0.1/80 && printf 'HEAD / HTTP/1.0\r\n\r\n' >&3 && read -r -t 10 -u 3 line && [[ $line == HTTP/1.* ]]
}

apache_is_set_up() {
  local name
  for name in $(wanted_modules); do
    [[ -e /etc/apache2/mods-enabled/$name.load ]] || return 1
  done
  for name in $(wanted_confs "$1"); do
    [[ -e /etc/apache2/conf-enabled/$name.conf ]] || return 1
  done
}

probe_web() {
  local version
  version=$(php_version) && is_put "$apache_conf" content_apache && apache_is_set_up "$version" && ! owes_restart apache2 &&
    units_run apache2 "php$version-fpm" && answers_http
}

apply_web() {
  local version module
  version=$(php_version)
  save_before /etc/apache2/mods-enabled /etc/apache2/conf-enabled
  owe_restart apache2
  put "$apache_conf" 644 content_apache
  if [[ $(part_state web) != ours ]]; then
    for module in /etc/apache2/mods-enabled/{mpm_prefork,mpm_worker,php*}.load; do
      [[ ! -e $module ]] || a2dismod -q -f "$(basename "$module" .load)"
    done
  fi
  # shellcheck disable=SC2046 # Names of modules and settings, one a word.
  a2enmod -q $(wanted_modules)
  # shellcheck disable=SC2046 # Names of modules and settings, one a word.
  a2enconf -q $(wanted_confs "$version")
  apache2ctl configtest
  run_units "php$version-fpm" apache2
  restart_paid apache2
}

# Restarts Apache with the restored files. If it cannot run, disables it, because another program may hold its port.
unwind_web() {
  apache2ctl configtest &>/dev/null && systemctl restart apache2 2>/dev/null && return
  [[ $(part_state web) == begun ]] || return 0
  systemctl -q disable --now apache2 || true
  systemctl reset-failed apache2 || true
  echo 'Apache is off until the installation is run again.'
}

differences_web() {
  tell_switched_off apache2 "php$(php_version)-fpm"
  ! has_other_model || echo 'The processing model of Apache was changed by hand and is left as it is.'
}
