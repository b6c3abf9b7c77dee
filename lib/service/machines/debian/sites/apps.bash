# Installing an app on an empty site. Everything is prepared beside the folder that is served, and both change places at one moment.
# The parent of `public` belongs to root, so no program of the site can put anything else there.
source changes/room.bash
source sites/apache.bash
source sites/check.bash
source sites/confine.bash
source sites/database.bash
source sites/exchange.bash
source sites/files.bash
source sites/logins.bash
source sites/refuse.bash
source sites/site.bash
source steps/apt.bash

app_work=/var/cache/gatehouse-app
# A separate unit outlives a job that is killed.
app_unit=gatehouse-app-install.service

# Sets the paths of the app's preparation.
name_app() { app_home=$home/.gatehouse-app; app_directives=$settings/apache/gatehouse-app.conf; }

check_app() {
  local module
  require_web_server
  require_valid_configuration
  require_model
  [[ $with_database == no ]] || require_database
  [[ -x /usr/bin/php$php && -x /usr/sbin/php-fpm$php ]] ||
    not_installed "$title is installed by the command-line program of PHP $php, which is missing. Install php$php-cli, then try again; nothing was changed."
  for module in $modules; do
    { has_module "/usr/bin/php$php" "$module" && has_module "/usr/sbin/php-fpm$php" "$module"; } ||
      refuse "PHP $php lacks the module $module, which $title needs. Install php$php-$module, then try again; nothing was changed."
  done
  require_empty_site
  require_room /etc /home /var/lib/gatehouse /var/lib/mysql
}

has_module() { "$1" -m 2>/dev/null | grep -ixF -- "$2" >/dev/null; }

require_empty_site() {
  [[ -z $served_folder ]] || refuse "The site serves the folder public/$served_folder. Serve public first, on the page Settings; nothing was changed."
  has_only_first_page "$home/public" || refuse "The site has files already. $title is installed only on an empty site. Delete what is in public first; nothing was changed."
  [[ $with_database == no || $(sql <<<"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '$name'") == 0 ]] ||
    refuse "The database of the site has tables already. $title is installed only on an empty site. Delete them first; nothing was changed."
}

# has_only_first_page FOLDER: nothing, or the page that a new site gets.
has_only_first_page() {
  local each
  while IFS= read -r -d '' each; do
    [[ $each == index.html && -f $1/$each && ! -L $1/$each ]] || return 1
    timeout 5 cmp -s "$1/$each" <(content_first_page) || return 1
  done < <(find "$1" -mindepth 1 -maxdepth 1 -printf '%f\0')
}

# Packages are checked by apt against the signed lists of this server, archives against the hash in the catalogue. Neither is installed.
fetch_app() {
  local names
  rm -rf --one-file-system -- "$app_work"
  install -d -m 755 "$app_work" "$app_work/root"
  # apt downloads as its own user.
  install -d -m 755 -o "$(getent passwd _apt >/dev/null && echo _apt || echo root)" "$app_work/fetched"
  cd "$app_work/fetched"
  if [[ $source == archive ]]; then
    timeout 30m /usr/lib/apt/apt-helper -o Acquire::Retries=3 download-file "$origin" "$app_work/fetched/archive"
    [[ $(sha256sum <archive | cut -d' ' -f1) == "$sha256" ]] || { echo "The archive at $origin is not the one whose hash is in the catalogue."; return 1; }
  else
    update_lists
    mapfile -t names < <(app_packages)
    echo "Packages: ${names[*]}"
    apt_get -o APT::Get::AllowUnauthenticated=false -o Acquire::AllowInsecureRepositories=false -o Acquire::AllowWeakRepositories=false download "${names[@]}"
  fi
}

# The package, and of those that it depends on or recommends the ones that the catalogue names: others are programs of the system.
app_packages() {
  local each next record
  local -A seen=()
  local -a queue=("$origin")
  while ((${#queue[@]})); do
    each=${queue[0]}
    queue=("${queue[@]:1}")
    [[ -z ${seen[$each]-} ]] || continue
    seen[$each]=yes
    # A name that others provide has no separate record.
    record=$(apt-cache show --no-all-versions -- "$each" 2>/dev/null) || [[ $each == "$origin" ]] || continue
    echo "$each"
    while IFS= read -r next; do
      if is_part "$next"; then queue+=("$next"); fi
    done < <(sed -nE 's/^(Pre-Depends|Depends|Recommends): //p' <<<"$record" | tr ',|' '\n' | awk 'NF { sub(/:.*/, "", $1); print $1 }')
  done
}

is_part() {
  local pattern
  while IFS= read -r pattern; do
    # shellcheck disable=SC2053 # A pattern.
    [[ $1 != $pattern ]] || return 0
  done <<<"$patterns"
  return 1
}

prepare_app() {
  local each from to new=$app_home/public
  if [[ $source == archive ]]; then
    tar --no-same-owner --no-same-permissions --strip-components="$strip" -C "$app_work/root" -xf "$app_work/fetched/archive"
  else
    for each in "$app_work"/fetched/*.deb; do dpkg-deb -x "$each" "$app_work/root"; done
  fi
  require_space
  resolve_links "$app_work/root"
  require_own_home "$name"
  let_apache_read
  rm -rf --one-file-system -- "$app_home"
  # Until all of it is there and belongs to the site's user, only root gets in.
  install -d -m 700 "$app_home" "$new"
  while IFS='|' read -r from to; do
    [[ -d $app_work/root/$from ]] || continue
    mkdir -p -- "$new/$to"
    cp -rL --no-preserve=mode,ownership,timestamps -- "$app_work/root/${from:-.}/." "$new/$to"
  done <<<"$folders"
  for each in $left_out; do rm -rf -- "${new:?}/$each"; done
  for each in $relocated; do relocate "$each" "$new"; done
  [[ -f $new${login%%\?*} ]] || { echo "$title is incomplete: ${login%%\?*} is missing."; return 1; }
  chown -hR "$name:$name" "$new"
  chmod -R u=rwX,g=rX,o= "$new"
  if [[ -n $built_in ]]; then cat "${package_home:?}/texts/apps/$built_in.php"; else printf '%s' "$steps"; fi >"$app_home/install.php"
  chmod 644 "$app_home/install.php"
  chgrp "$name" "$app_home"
  chmod 750 "$app_home"
}

# The files are copied once more, and grow by what the app writes.
require_space() {
  local used free
  used=$(du -sB1 -- "$app_work/root" | cut -f 1)
  free=$(df -B1 --output=avail -- "$home" | tail -n 1)
  ((used * 2 + 134217728 < free)) || exit 28
}

# resolve_links FOLDER: packages link into each other by paths of an installed system. Here such a link leads into the folder, to the server's
# list of certificate authorities, or nowhere, and is then removed.
resolve_links() {
  local link target
  while IFS= read -r -d '' link; do
    target=$(readlink -- "$link")
    if [[ $target == /etc/ssl/certs/ca-certificates.crt && -f $target ]]; then
      rm -f -- "$link"
      cp -L -- "$target" "$link"
    elif [[ $target == /* ]]; then
      ln -sfnT -- "$1$target" "$link"
    fi
  done < <(find "$1" -type l -print0)
  while IFS= read -r -d '' link; do
    [[ -e $link && $(realpath -- "$link") == "$1"/* ]] || rm -f -- "$link"
  done < <(find "$1" -type l -print0)
}

# relocate FOLDER NEW: copies a folder of the source into the app, whose PHP files then name it there, relative to themselves.
relocate() {
  local file beside=$2/vendor/debian
  [[ -d $app_work/root/$1 ]] || return 0
  mkdir -p -- "$beside/${1%/*}"
  cp -rL --no-preserve=mode,ownership,timestamps -- "$app_work/root/$1" "$beside/${1%/*}"
  while IFS= read -r -d '' file; do
    FOLDER=$1 UP=$(realpath --relative-to="${file%/*}" -- "$beside") perl -pi -e 's{\x27/\Q$ENV{FOLDER}\E(?=/)}{__DIR__ . \x27/$ENV{UP}/$ENV{FOLDER}}g' -- "$file"
  done < <(grep -rlZF --include='*.php' -- "'/$1/" "$2" || true)
}

install_app() {
  local said host=localhost socket
  socket=$(mariadb_socket)
  [[ $socket == /run/mysqld/mysqld.sock ]] || host=localhost:$socket
  [[ $with_database == no ]] || take_database
  said=$(
    printf '%s\0' "$(site_address)" "$domain" "$domain" "$admin" "$admin_password" "$name" "$name" "$database_password" "$host" |
      as_site "/usr/bin/php$php" -d display_errors=stderr -d log_errors=0 -d memory_limit=256M "$app_home/install.php" 2>&1
  ) || true
  [[ ${said##*$'\n'} != installed ]] || return 0
  said=${said//"$admin_password"/…}
  tail -n 3 <<<"${said//"$database_password"/…}" | cut -c 1-400
  return 1
}

site_address() { echo "http$([[ $ssl != yes ]] || echo s)://$domain"; }

# as_site COMMAND...: confined as the site's PHP is, and without the network: it needs the database only, whose socket is a file.
as_site() {
  local properties=() each
  while IFS= read -r each; do properties+=(-p "$each"); done < <(confinement "$name")
  systemd-run --quiet --pipe --wait --collect --unit="$app_unit" -p User="$name" "${properties[@]}" -p PrivateNetwork=yes -p MemoryMax=512M -p TasksMax=32 \
    -p RuntimeMaxSec=600 -p UMask=0027 -p WorkingDirectory="$app_home/public" "$@"
}

# The app gets a new password for the database, because the current one is stored nowhere. The hash of the current one can be set again.
take_database() {
  local before ours
  before=$(database_hash "$name")
  ours=$(sql <<<"SELECT PASSWORD($(sql_text "$database_password"))")
  (umask 077 && printf '%s\n' "$before" "$ours" >"$job_home/database.new")
  sync "$job_home/database.new"
  mv -T -- "$job_home/database.new" "$job_home/database"
  sync "$job_home"
  sql <<END
SET @password = $(sql_text "$database_password");
EXECUTE IMMEDIATE CONCAT("ALTER USER \`$name\`@localhost IDENTIFIED BY ", QUOTE(@password));
END
}

# Before it, the database had no tables. Somebody who has set another password since then may have filled it.
give_database_back() {
  local before ours now
  { read -r before; read -r ours; } <"$job_home/database"
  now=$(database_hash "$name")
  [[ $now == "$before" || $now == "$ours" ]] || { echo 'The password of its database was changed meanwhile, so its tables stay.'; return 0; }
  end_sessions
  {
    echo 'SET SESSION foreign_key_checks = 0;'
    sql --raw <<END
SELECT CONCAT('DROP ', IF(table_type = 'VIEW', 'VIEW', 'TABLE'), ' IF EXISTS \`$name\`.\`', REPLACE(table_name, '\`', '\`\`'), '\`;')
FROM information_schema.tables WHERE table_schema = '$name'
END
    echo "ALTER USER \`$name\`@localhost IDENTIFIED BY PASSWORD '$before';"
  } | sql
  rm -f -- "$job_home/database"
}

# Apache refuses what the app must not show before it is there.
put_directives() {
  if [[ -e $app_directives ]]; then cp -a -- "$app_directives" "$job_home/directives.former"; fi
  : >"$job_home/directives"
  sync "$job_home"
  install -d -m 755 "${app_directives%/*}"
  { echo '# Put here by Gatehouse.'; printf '%s\n' "${directives//@PUBLIC@/$home/public}"; } | write_file "$app_directives" 644
  reload_apache
}

take_directives_back() {
  if [[ -e $job_home/directives.former ]]; then
    write_file "$app_directives" 644 <"$job_home/directives.former"
  else
    rm -f -- "$app_directives"
  fi
  reload_apache
  rm -f -- "$job_home/directives"
}

publish_app() {
  local new=$app_home/public
  [[ -z $directives ]] || put_directives
  stat -c %i -- "$new" >"$job_home/published.new"
  sync "$job_home/published.new"
  mv -T -- "$job_home/published.new" "$job_home/published"
  sync -f "$home"
  exchange "$new" "$home/public"
  if has_uploads; then
    exchange "$new" "$home/public"
    refuse 'Files were uploaded to the site meanwhile. They are kept, and nothing was installed.'
  fi
  sync -f "$home"
}

# By the folder itself, because the job may have been killed at any moment.
is_published() { [[ -e $job_home/published && $(stat -c %i -- "$home/public" 2>/dev/null) == "$(<"$job_home/published")" ]]; }

# Files that were put into the former folder after it had been seen to be empty.
has_uploads() { [[ -d $app_home/public ]] && ! has_only_first_page "$app_home/public"; }

remove_preparation() { rm -rf --one-file-system -- "$app_home" "$app_work"; }
