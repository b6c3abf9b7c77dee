# What can be set of a site's PHP. The files that PHP and Apache read are the only place where it is noted.

# In MB. A form may have more in it than its files.
default_upload=64
default_memory=256
content_php_settings() {
  cat <<END
php_value[upload_max_filesize] = ${upload}M
php_value[post_max_size] = $((upload + 8))M
php_value[memory_limit] = ${memory}M
END
}

# Sets `upload` and `memory` to what the site has, in MB; empty if an admin wrote something else there.
read_php_settings() {
  upload=$(php_setting upload_max_filesize)
  memory=$(php_setting memory_limit)
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

has_php() { [[ -x /usr/sbin/php-fpm$1 ]] && compgen -G "/etc/php/$1/fpm/conf.d/*-mysqli.ini" >/dev/null; }
