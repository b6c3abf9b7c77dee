# The threads of Apache, of which a site whose PHP is busy may hold a part: decision 055. Workers and queues of sites come with their settings of
# PHP and their virtual hosts. May be repeated.
source steps/files.bash
source steps/manifest.bash
source steps/web.bash
source upgrade/keep.bash

upgrade_server_php() {
  [[ $(part_state web) == ours && -e $apache_conf ]] || return 0
  ! cmp -s "$apache_conf" <(content_apache) || return 0
  [[ $(hash_of "$apache_conf") == "$(listed_hash_of "$apache_conf")" ]] || { echo "$apache_conf was edited by hand and stays as it is."; return 0; }
  keep_for_undo "$manifest"
  keep_for_undo "$apache_conf"
  write_whole "$apache_conf" 644 content_apache
  record "$(hash_of "$apache_conf")  $apache_conf"
  # Apache takes the largest number of threads only at a start.
  if systemctl -q is-active apache2; then systemctl restart apache2; fi
  echo "Replaced: $apache_conf"
}
