# Changes the password of a site's database user, also in the configuration of WordPress if the site has one, and tries it as WordPress does. Values:
# the site's id and name, the password, its domain. Prints the file that was rewritten, if any. Exit code 67: the site is not here; 66: a configuration
# could not be written, 65: WordPress would not get into its database, and why is printed; in both cases the old password is valid again; 73: other work
# on sites is running, or still to be taken back, which may put the old one back.
source changes/room.bash
source sites/confine.bash
source sites/site.bash

set -euo pipefail
mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" '' ''
is_ours || exit 67
install -d -m 700 "${sites_lock%/*}"
exec 8>"$sites_lock"
flock -w 10 8 || exit 73
! is_interrupted || exit 73
require_room "$home" /var/lib/mysql

# The file belongs to the site's user, so its user writes it, confined as its PHP is: completely, or not at all. The password comes by
# standard input.
rewrite() {
  local properties=() each
  while IFS= read -r each; do properties+=(-p "$each"); done < <(confinement "$name")
  printf '%s' "${values[2]}" | systemd-run --quiet --pipe --wait --collect -p User="$name" "${properties[@]}" -p MemoryMax=512M -p TasksMax=16 \
    -p RuntimeMaxSec=60 "$(command -v "php$(site_php)" || echo /usr/bin/php)" -d display_errors=stderr -r "$(content_app_password)" -- "$1" "$name" "${values[3]-}" "$(content_login)"
}

set_password() {
  sql <<END
SET @password = $(sql_text "${values[2]}");
EXECUTE IMMEDIATE CONCAT("ALTER USER \`$name\`@localhost IDENTIFIED BY ", QUOTE(@password));
END
}

before=$(sql <<<"SELECT JSON_VALUE(Priv, '\$.authentication_string') FROM mysql.global_priv WHERE User = '$name' AND Host = 'localhost'")
# Without the old password's hash, a change could not be taken back.
# The site's programs may have set an empty one.
[[ $before =~ ^(\*[0-9A-F]{40})?$ ]]
set_password
path=$(find "$home/public${served_folder:+/$served_folder}/wp-config.php" -maxdepth 0 -type f -user "$name" -size -1024k 2>/dev/null) || true
[[ -n $path ]] || exit 0
code=0
rewrite "$path" || code=$?
if ((code == 0)); then
  # Otherwise PHP would run what it compiled of the former file for two seconds, and visitors get errors.
  systemctl -q reload "$(php_unit "$(site_php)")" 2>/dev/null || true
  exit 0
fi
sql <<<"ALTER USER \`$name\`@localhost IDENTIFIED BY PASSWORD '$before'"
((code != 3)) || exit 65
exit 66
