# Whether the names of a site and its SSL can be changed: everything is asked before anything is changed.
source changes/room.bash
source steps/listeners.bash
source steps/manifest.bash
source sites/apache.bash
source sites/check.bash
source sites/closed-ports.bash
source sites/refuse.bash
source sites/vhost.bash

check_names() {
  local each place
  require_web_server
  require_valid_configuration
  require_model
  is_vhost_unedited ||
    refuse "$vhost was edited by hand and is not overwritten. Put directives of your own into $settings/apache/, restore the file and try again."
  for each in $aliases; do
    place=$(served_by "$each" <<<"$hosts")
    [[ -z $place || $place == "$vhost_link":* || $place == "$vhost":* ]] || refuse "$each is already served here, by $place. Nothing was changed."
  done
  require_room /etc /var/lib/gatehouse
}

check_change() {
  check_names
  local there
  there=$(program_on 443)
  [[ -z $there || $there == Apache ]] ||
    refuse "$there serves port 443 here, in front of Apache. Gatehouse needs Apache there, so nothing was changed."
}

check_ssl() {
  local why
  why=$(closed_ports_reason)
  [[ -z $why ]] || refuse "$why Nothing was changed."
  # Loading it could change how sites of an admin answer: their files may have rules for when it is there.
  [[ $(part_state web) == ours ]] || apache2ctl -M 2>/dev/null | grep ' rewrite_module ' >/dev/null ||
    refuse 'Apache’s module rewrite is not loaded here, and SSL needs it. Run “a2enmod rewrite” and “systemctl reload apache2”, then try again. Nothing was changed.'
}
