# Whether a site can be created: everything is asked before anything is changed.
source changes/room.bash
source facts/site-needs.bash
source sites/apache.bash
source sites/refuse.bash
source sites/site.bash
source steps/database.bash
source steps/listeners.bash
source steps/manifest.bash
source steps/web.bash

require_web_server() {
  local there
  if ! is_installed apache2; then
    there=$(program_on 80 443)
    [[ -z $there ]] || refuse "$there serves port 80 or 443 here. Gatehouse serves sites by Apache only, so nothing was changed."
    there=$(find_web)
    [[ -z $there ]] || refuse "$there Gatehouse serves sites by Apache only, so nothing was changed."
    not_installed 'Apache is not installed here. Use Install or Reinstall on the page of the server, which adds it.'
  fi
  ! only_apache_listens || return 0
  there=$(program_on 80)
  [[ -n $there ]] || refuse 'Apache does not listen on port 80. Start it, then create the site.'
  [[ $there == Apache ]] || refuse "$there serves port 80 here, in front of Apache. Gatehouse needs Apache there, so nothing was changed."
}

# Whether Apache alone listens on port 80. Finding which program it is otherwise takes a look at all processes: the longer, the more sites there are.
only_apache_listens() {
  local main inode inodes
  main=$(systemctl show -P MainPID apache2.service)
  inodes=$(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '$2 ~ /:0050$/ && $4 == "0A" { print $10 }')
  [[ $main != 0 && -n $inodes ]] || return
  for inode in $inodes; do
    readlink "/proc/$main/fd/"* 2>/dev/null | grep -xF "socket:[$inode]" >/dev/null || return
  done
}

# Sets `hosts`, what Apache says of its virtual hosts, modules and user. One reading of the configuration tells that, and whether it is valid: it takes the
# longer, the more sites there are.
require_valid_configuration() {
  hosts=$(virtual_hosts) ||
    refuse "Apache’s configuration has an error, so it cannot be reloaded: $(apache_complaint) Correct it first; nothing was changed."
}

# After require_valid_configuration.
require_model() {
  local model
  model=$(sed -n 's/^ *mpm_\([a-z]*\)_module .*/\1/p' <<<"$hosts")
  [[ $model =~ ^(event|worker)$ ]] ||
    refuse "$(needs_web | grep . || echo "Apache runs with the $model model here. Sites need the event or worker model.") Nothing was changed."
}

# Where no virtual host is for any address at port 80, Apache answers by the main server or by one for any port, and the first of a site would
# take over from these. Where there is one, a site is only another name.
require_other_virtual_host() {
  [[ $(part_state web) != ours ]] || return 0
  grep '^\*:80 ' <<<"$hosts" >/dev/null ||
    refuse 'Apache has no virtual host for *:80 here, so a new site would answer requests that it answers otherwise now. Put what answers them into a <VirtualHost *:80>, then create the site. Nothing was changed.'
}

require_database() {
  local there
  if ! command -v mariadb >/dev/null; then
    there=$(find_database)
    [[ -z $there ]] || refuse "$there Gatehouse makes databases with MariaDB only, so nothing was changed."
    not_installed 'MariaDB is not installed here. Use Install or Reinstall on the page of the server, which adds it.'
  fi
  [[ $(sql 2>/dev/null <<<'SELECT 1') == 1 ]] ||
    refuse "$(needs_database | grep . || echo 'MariaDB does not let root in through its socket, or does not run. Gatehouse needs that to create databases.') Nothing was changed."
}

# describe_holder PLACE: whose the site is that has the virtual host, if Gatehouse made it, and what to do. site_owner: the account that is refused.
describe_holder() {
  local record name owner
  name=$(sed -nE 's|.*/zz-gatehouse-([a-z][a-z0-9]*)\.conf:.*|\1|p' <<<"$1")
  record=$sites_home/$name/site
  [[ -n $name && -f $record ]] || return 0
  owner=$(sed -n 's/^owner //p' "$record")
  if [[ -n $owner && $owner != "$site_owner" ]]; then
    echo ", a site of another account of Gatehouse ($owner). To give it to yours, run as root “sed -i 's/^owner .*/owner $site_owner/' $record”, then delete the server in Gatehouse and add it again"
  else
    echo ', a site that Gatehouse made. If it is in no list, delete the server in Gatehouse and add it again: that brings its sites back'
  fi
}

require_free_names() {
  local each place
  for each in "$domain" $aliases; do
    place=$(served_by "$each" <<<"$hosts")
    [[ -z $place ]] || refuse "$each is already served here, by $place$(describe_holder "$place"). Nothing was changed."
  done
  [[ -z $(getent passwd "$name"; getent group "$name") && ! -e $home && ! -e $settings && ! -e $vhost ]] ||
    refuse "The name $name is taken on this server. Nothing was changed."
  [[ $(sql <<<"SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '$name'") == 0 ]] ||
    refuse "There is a database named $name. Nothing was changed."
}

check_delete() {
  ! is_installed apache2 || require_valid_configuration
  # Without it, a database would be left when the rest is gone.
  ! command -v mariadb >/dev/null || require_database
}

check_create() {
  require_web_server
  require_valid_configuration
  grep '^User: name="www-data" ' <<<"$hosts" >/dev/null ||
    refuse 'Apache does not run as www-data here, and would not read the files of the site. Nothing was changed.'
  require_model
  require_other_virtual_host
  require_database
  require_free_names
  require_room /etc /home /var/log /var/lib/gatehouse /var/lib/mysql
}
