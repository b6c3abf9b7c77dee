# Whether a site can be created: everything is asked before anything is changed. Exit code 3: the last line says why not;
# 4: the same, because a part is not installed.
refuse() { echo "$1"; exit 3; }
not_installed() { echo "$1"; exit 4; }

require_web_server() {
  local there model
  if ! is_installed apache2; then
    there=$(program_on 80 443)
    [[ -z $there ]] || refuse "$there serves port 80 or 443 here. Gatehouse serves sites by Apache only, so nothing was changed."
    not_installed 'Apache is not installed here. Install the server first, or again.'
  fi
  there=$(program_on 80)
  [[ -n $there ]] || refuse 'Apache does not listen on port 80. Start it, then create the site.'
  [[ $there == Apache ]] || refuse "$there serves port 80 here, in front of Apache. Gatehouse needs Apache there, so nothing was changed."
  model=$(apache2ctl -V 2>/dev/null | sed -n 's/^Server MPM: *//p')
  [[ $model =~ ^(event|worker)$ ]] ||
    refuse "Apache runs with the $model model here, as mod_php needs it. Sites need the event or worker model and PHP-FPM, so nothing was changed."
}

require_valid_configuration() {
  local complaint
  complaint=$(apache_complaint)
  [[ -z $complaint ]] || refuse "Apache’s configuration has an error, so it cannot be reloaded: $complaint Correct it first; nothing was changed."
}

require_php() {
  [[ -n $php && -x /usr/sbin/php-fpm$php ]] || not_installed 'PHP-FPM is not installed here. Install the server again, which adds it.'
  compgen -G "/usr/lib/php/*/mysqli.so" >/dev/null || not_installed 'PHP has no module for MariaDB here. Install the server again, which adds it.'
}

require_database() {
  command -v mariadb >/dev/null || not_installed 'MariaDB is not installed here. Install the server first, or again.'
  [[ $(sql 2>/dev/null <<<'SELECT 1') == 1 ]] ||
    refuse 'MariaDB does not let root in through its socket, or does not run. Gatehouse needs that to create databases, so nothing was changed.'
}

require_free_names() {
  local each place
  for each in "$domain" $aliases; do
    place=$(served_by "$each")
    [[ -z $place ]] || refuse "$each is already served here, by $place. Nothing was changed."
  done
  [[ -z $(getent passwd "$name"; getent group "$name") && ! -e $home && ! -e $settings && ! -e $vhost ]] ||
    refuse "The name $name is taken on this server. Nothing was changed."
  [[ $(sql <<<"SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '$name'") == 0 ]] ||
    refuse "There is a database named $name. Nothing was changed."
}

check_delete() {
  require_valid_configuration
  # Without it, a database would be left when the rest is gone.
  ! command -v mariadb >/dev/null || require_database
}

check_create() {
  require_web_server
  require_valid_configuration
  require_php
  require_database
  require_free_names
  require_room /etc /home /var/log /var/lib/gatehouse /var/lib/mysql
}
