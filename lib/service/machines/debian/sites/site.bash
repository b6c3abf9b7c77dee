# A site: one name for its Linux user, its database and its database user. Everything that belongs to it follows from the name.
# The record, written before anything else of a site and deleted after everything else, says that the name is ours.
sites_home=/etc/gatehouse/sites
sites_group=gatehouse-sites
sites_logs=/var/log/gatehouse-sites
vhosts_home=/etc/apache2/sites-available
# Where the record of a site goes at the last moment of its deletion.
deleted=$sites_home/.deleted
# Held by whatever changes what the web server serves. Where users of sites could open it, they could hold it.
sites_lock=/var/lib/gatehouse/sites.lock
# Held by whatever archives a site without changing it, which needs room on the disk as other archives do.
archives_lock=/var/lib/gatehouse/archives.lock
# Held by whatever sends a backup away.
copies_lock=/var/lib/gatehouse/copies.lock

# What the record of a new site says of how its files and settings are made. One without the line is of version 1. upgrade/ brings older ones
# up to date.
state_version=3
# state_of RECORD
state_of() { sed -n 's/^state //p' "$1" | grep -x '[0-9]*' || echo 1; }

# name_site ID NAME DOMAIN ALIASES: sets the paths of a site. served_folder: below `public`; empty for `public` itself. live_name: of a
# staging copy, the name of its live site; empty for others. site_owner: the account of Gatehouse that it belongs to; empty for a staging copy, and if
# an earlier version made the site. held_requests: how many requests of PHP a process of Apache holds for the site.
# www_redirect: `yes` if the domain’s name with www leads to the domain. hsts: for how many seconds browsers insist on https; empty for not at all.
name_site() {
  site_id=$1 domain=$3 aliases=$4 served_folder='' held_requests='' www_redirect='' hsts='' live_name='' site_owner=''
  name_paths "$2"
  if [[ -e $vhost ]]; then
    served_folder=$(sed -n "s|^  DocumentRoot $home/public/||p" "$vhost" | head -n 1) || true
    held_requests=$(sed -n 's/^  ProxySet max=\([0-9]\{1,4\}\) acquire=1 .*/\1/p' "$vhost" | head -n 1) || true
    www_redirect=$(sed -n 's/^  # With www: leads to the domain\.$/yes/p' "$vhost" | head -n 1) || true
    hsts=$(sed -n 's/^    Header always set Strict-Transport-Security "max-age=\([0-9]\{1,9\}\)"$/\1/p' "$vhost" | head -n 1) || true
  fi
  if [[ -e $settings/site ]]; then
    live_name=$(sed -n 's/^staging-of //p' "$settings/site")
    site_owner=$(sed -n 's/^owner //p' "$settings/site")
  fi
}

# name_paths NAME: what is the same for each site of that name, so no file is read: for reads of all sites.
name_paths() {
  name=$1
  home=/home/$name
  settings=$sites_home/$name
  logs=$sites_logs/$name
  proofs=/var/www/gatehouse-sites/$name
  # The last of all virtual hosts: Apache answers unknown names by the first.
  vhost=$vhosts_home/zz-gatehouse-$name.conf
  vhost_link=/etc/apache2/sites-enabled/zz-gatehouse-$name.conf
  php_socket=/run/gatehouse-sites/$name/php.sock
  files_socket=/run/gatehouse-files/$name/files.sock
}

# The directives with which Apache answers 503 while the site is replaced: pause.bash.
pause_name=gatehouse-pause.conf

# require_own_home NAME: whatever root does in the home of a site relies on this. Programs of the site could put links there otherwise.
require_own_home() {
  [[ $(stat -c '%u %A' -- "/home/$1") =~ ^0\ d....-..-.$ ]] && return
  echo "/home/$1 must belong to root, and nobody else may write there. Look why, then run “chown root /home/$1” and “chmod go-w /home/$1”."
  return 1
}

# open_site_lock: 7 is a lock of this site alone, which whoever archives or changes it holds. In memory, because a full disk may have no room for it.
site_locks=/run/gatehouse/site-locks
open_site_lock() {
  install -d -m 700 "${site_locks%/*}" "$site_locks" && exec 7>"$site_locks/$name"
}

# What archives a site runs beside changes of other sites.
only_reads() { [[ $1 == backup || $1 == download || $1 == copy || $1 == prove ]]; }

# Whether a job that changes the site has died and is still to be taken back: start.bash. Whoever asks holds the lock, so no such job is at work.
is_interrupted() {
  local folder values
  for folder in /var/lib/gatehouse/site-jobs/*/at-work; do
    folder=${folder%/at-work}
    [[ -n $(find "$folder/events" -mtime -1 2>/dev/null) && ! $(tail -n 1 "$folder/events" | cut -f 4) =~ ^(done|failed)$ ]] || continue
    mapfile -d '' -t values <"$folder/site"
    [[ ${values[2]-} != "$name" ]] || only_reads "${values[0]}" || return 0
  done
  return 1
}

is_ours() { [[ $(sed -n 's/^id //p' "$settings/site" 2>/dev/null) == "$site_id" ]]; }

# The version of PHP that the site runs with.
site_php() { sed -n 's/^php //p' "$settings/site"; }

# How many mails the programs of the site may send in an hour, where that is limited: mail-limits.bash.
default_hourly_mail=200
hourly_mail() {
  [[ ! -e /etc/systemd/system/gatehouse-mail-limits.service ]] || grep -sxE '[1-9][0-9]{0,3}' "$settings/mail-per-hour" || echo "$default_hourly_mail"
}

# The public keys with which the site's user signs in by SFTP: sftp-keys.bash.
keys_home=/etc/ssh/gatehouse-sites
keys_file() { echo "$keys_home/$name"; }

php_unit() { echo "gatehouse-php$1@$name.service"; }

# Each unit of PHP that the site has, of any version. systemd lists none that is enabled and does not run, and starts it at the next boot.
units_of_php() {
  systemctl list-units --all --plain --no-legend "gatehouse-php*@$name.service" | cut -d' ' -f1
  find /etc/systemd/system/multi-user.target.wants -name "gatehouse-php*@$name.service" -printf '%f\n'
}

# write_file PATH MODE: standard input becomes the file's content, completely or not at all. Programs read whole folders of /etc, so a
# file that is not complete yet lies elsewhere. It may be a key, so until it is complete only root can read it.
unfinished=$sites_home/.unfinished
write_file() {
  local new=$unfinished
  install -m "$2" -T /dev/stdin "$new" && sync "$new" && mv -fT "$new" "$1" && sync "${1%/*}"
}

# write_if_new PATH MODE CONTENT-FUNCTION: true if the content differed.
write_if_new() {
  ! cmp -s "$1" <("$3" 2>/dev/null) || return 1
  "$3" | write_file "$1" "$2"
}

# sql OPTION...: runs the statements of standard input as root. Never reads a table of a site: logins.bash. Sessions of sites may hold locks, so it waits for none of them for long. A statement
# that takes longer than `sql_seconds` is ended by the server too: it must not go on after what takes it back.
sql() { run_sql --no-defaults -u root "$@"; }

# sql_as LOGIN OPTION...: the same as another database user.
sql_as() { run_sql --defaults-file="$1" "${@:2}"; }

# What MariaDB has by default. With other modes of the server, text would be read differently from how it is written here: QUOTE() escapes with
# backslashes also where the server takes them for plain characters.
sql_mode=STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION

# run_sql DEFAULTS OPTION...
run_sql() {
  timeout "${sql_seconds:-30}" mariadb "$1" --protocol=socket --socket="$(mariadb_socket)" --default-character-set=utf8mb4 --batch --skip-column-names \
    --init-command="SET SESSION sql_mode = '$sql_mode', lock_wait_timeout = 10, innodb_lock_wait_timeout = 10, max_statement_time = ${sql_seconds:-30}" "${@:2}"
}

# Every statement asks for it, so without further programs.
mariadb_socket() {
  local said socket=''
  said=$'\n'$(my_print_defaults --mysqld 2>/dev/null) || said=''
  if [[ $said == *$'\n--socket='* ]]; then socket=${said##*$'\n--socket='} socket=${socket%%$'\n'*}; fi
  echo "${socket:-/run/mysqld/mysqld.sock}"
}

# sql_text TEXT: a literal of any text, in which nothing has to be escaped.
sql_text() { printf "CONVERT(X'%s' USING utf8mb4)" "$(printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n')"; }

# database_bytes NAME [DATA-HOME]: 0 if there is none. By its files: to ask for the sizes of tables would have views prepared, and so functions of
# the site run as root.
database_bytes() {
  local folder=${2-}
  [[ -n $folder ]] || folder=$(data_home) || return
  folder+=/$1
  if [[ -d $folder ]]; then du -sB1 -- "$folder/." | cut -f 1; else echo 0; fi
}
data_home() { sql <<<'SELECT @@datadir'; }

# decode_name HEX: sets `named`. What a command prints would lose line breaks at the end.
decode_name() {
  # shellcheck disable=SC2059 # Nothing but escaped bytes.
  printf -v named "$(sed 's/../\\x&/g' <<<"$1")"
}
