# What can be set of a site's PHP. The files that PHP and Apache read are the only place where it is noted.

# In MB. A form may have more in it than its files.
default_upload=64
default_memory=256
# How many requests wait until one of those that are worked on is done.
default_waiting=30
# One worker for each 200 MB of the server's memory, from 10 to 30.
default_workers() {
  local key kilobytes workers
  while read -r key kilobytes _; do [[ $key != MemTotal: ]] || break; done </proc/meminfo
  workers=$((kilobytes / 204800))
  echo $((workers < 10 ? 10 : workers > 30 ? 30 : workers))
}
take_default_php_settings() { upload=$default_upload memory=$default_memory workers=$(default_workers); }

content_php_settings() {
  local most=${workers:-$(default_workers)}
  cat <<END
pm.max_children = $most
pm.max_spare_servers = $((most < 2 ? 1 : 2))
php_value[upload_max_filesize] = ${upload}M
php_value[post_max_size] = $((upload + 8))M
php_value[memory_limit] = ${memory}M
END
}

# Sets `upload` and `memory` to what the site has, in MB, `workers`, and `waiting`; empty if an admin wrote something else there.
read_php_settings() {
  upload=$(php_setting upload_max_filesize)
  memory=$(php_setting memory_limit)
  workers=$(sed -n 's/^pm\.max_children = \([0-9]\{1,4\}\)$/\1/p' "$settings/php-fpm.conf" 2>/dev/null | tail -n 1)
  waiting=''
  [[ -z $held_requests || -z $workers ]] || waiting=$((held_requests > workers ? held_requests - workers : 0))
}

php_setting() { sed -n "s/^php_value\[$1\] = \([0-9]\{1,4\}\)M\$/\1/p" "$settings/php-fpm.conf" 2>/dev/null | tail -n 1; }

# Versions that a site can run with: their PHP-FPM is here, and their module for MariaDB.
php_versions() {
  local each
  for each in /usr/sbin/php-fpm[0-9]*.[0-9]*; do
    each=${each#/usr/sbin/php-fpm}
    if has_php "$each"; then echo "$each"; fi
  done | sort -V
}

# extensions_of VERSION: what PHP of sites loads from Debian's packages.
extensions_of() { find "/etc/php/$1/fpm/conf.d" -name '*-*.ini' -printf '%f\n' 2>/dev/null | sed 's/^[0-9]*-//; s/\.ini$//' | sort | paste -sd ' '; }

has_php() { [[ -x /usr/sbin/php-fpm$1 ]] && compgen -G "/etc/php/$1/fpm/conf.d/*-mysqli.ini" >/dev/null; }
