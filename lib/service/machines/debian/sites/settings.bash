# Changing the version of PHP of a site, its limits, how many requests it takes, the folder that is served, and where its names lead.
source sites/apache.bash
source sites/check-change.bash
source sites/php-settings.bash
source sites/php.bash
source sites/put-renewal.bash
source sites/refuse.bash
source sites/site.bash
source sites/ssl.bash
source sites/vhost.bash
source sites/web.bash
source steps/apt.bash

changes_php() { [[ $new_php != "$php" || $new_upload != "$upload" || $new_memory != "$memory" || $new_workers != "$workers" ]]; }

# changes_held: whether Apache holds another number of requests for the site. What an admin wrote there stays unless a number was chosen.
changes_held() { [[ -n $new_waiting && $((new_workers + new_waiting)) != "$held_requests" ]]; }

changes_names() { [[ $new_www != "${www_redirect:-no}" || $new_hsts != "${hsts:-0}" ]]; }

changes_vhost() { [[ $new_folder != "$served_folder" ]] || changes_held || changes_names; }

check_settings() {
  check_names
  [[ $new_php =~ ^[0-9]{1,2}\.[0-9]{1,2}$ && $new_upload =~ ^[0-9]{1,4}$ && $new_memory =~ ^[0-9]{1,4}$ &&
    $new_workers =~ ^[0-9]{0,4}$ && $new_waiting =~ ^[0-9]{0,4}$ && $new_www =~ ^(yes|no)$ && $new_hsts =~ ^[0-9]{1,9}$ && $new_mail =~ ^[0-9]{0,4}$ ]] || refuse 'Invalid settings.'
  check_names_settings
  if changes_php && ! has_php "$new_php"; then
    refuse "PHP $new_php is not installed on this server with its module for MariaDB. Choose another version; nothing was changed."
  fi
  [[ -z $new_mail || -n $(hourly_mail) ]] ||
    refuse 'Mail of sites is not limited on this server: bring the server up to date, unless its mail server is your own. Nothing was changed.'
  [[ -z $new_folder || $new_folder == "$served_folder" ]] || check_folder
}

check_names_settings() {
  if [[ $new_www != "${www_redirect:-no}" && $new_www == yes ]]; then
    [[ " $aliases " == *" www.$domain "* ]] || refuse "www.$domain is no alias of the site. Add it first; nothing was changed."
    require_module rewrite
  fi
  if [[ $new_hsts != "${hsts:-0}" && $new_hsts != 0 ]]; then
    [[ $ssl == yes ]] || refuse 'SSL of the site is off. Turn it on first; nothing was changed.'
    require_module headers
  fi
}

require_module() {
  load_module "$1" || refuse "Apache’s module $1 is not loaded here, and this needs it. Run “a2enmod $1” and “systemctl reload apache2”, then try again. Nothing was changed."
}

# Apache follows no link to files of somebody else, but who sets such a folder should be told.
check_folder() {
  local segment='[A-Za-z0-9_][A-Za-z0-9._-]*' root=$home/public/$new_folder
  [[ $new_folder =~ ^$segment(/$segment)*$ ]] || refuse 'The folder must be inside public.'
  [[ -d $root ]] || refuse "There is no folder public/$new_folder. Upload it first; nothing was changed."
  [[ $(realpath -- "$root") == "$home/public"/* ]] || refuse "The folder public/$new_folder is a link to outside of public. Nothing was changed."
  setpriv --reuid www-data --regid www-data --init-groups test -x "$root" ||
    refuse "Apache may not enter the folder public/$new_folder. Let its group read it; nothing was changed."
}

# What a failed change goes back to. The record says which version of PHP runs the site.
keep_php() {
  rm -rf "$job_home/former"
  install -d -m 700 "$job_home/former.new"
  cp -a -- "$settings/php-fpm.conf" "$settings/site" "$job_home/former.new"
  sync "$job_home/former.new"/* "$job_home/former.new"
  mv -T -- "$job_home/former.new" "$job_home/former"
  sync "$job_home"
}

restore_php() {
  write_file "$settings/php-fpm.conf" 600 <"$job_home/former/php-fpm.conf"
  write_file "$settings/site" 600 <"$job_home/former/site"
  php=$(site_php)
  run_php
}

# Only these lines are rewritten, so that what an admin wrote into the file stays.
change_php() {
  local said upload=$new_upload memory=$new_memory workers=$new_workers new=$job_home/php-fpm.conf
  local names='php_value\[(upload_max_filesize|post_max_size|memory_limit)\]'
  [[ -z $workers ]] || names+='|pm\.max_(children|spare_servers)'
  keep_php
  {
    grep -vE "^($names)" "$settings/php-fpm.conf"
    content_php_settings | grep -E "^($names)"
  } >"$new"
  said=$("/usr/sbin/php-fpm$new_php" -t -y "$new" 2>&1) || { echo "$said"; return 1; }
  write_file "$settings/php-fpm.conf" 600 <"$new"
  sed "s/^php .*/php $new_php/" "$job_home/former/site" | write_file "$settings/site" 600
  php=$new_php
  run_php
  prove_php
}

# Runs PHP of the recorded version, with the file as it is now, and no other. Requests wait for workers that are busy.
run_php() {
  local unit other
  unit=$(php_unit "$php")
  if write_if_new "/etc/systemd/system/gatehouse-php$php@.service" 644 content_php_unit; then systemctl daemon-reload; fi
  # Both would need the same socket.
  for other in $(units_of_php); do
    [[ $other == "$unit" ]] || systemctl -q disable --now "$other" 2>/dev/null || true
  done
  systemctl -q enable --no-reload "$unit"
  systemctl reset-failed "$unit" 2>/dev/null || true
  systemctl reload-or-restart "$unit" 2>/dev/null && [[ -S $php_socket ]] && return
  journalctl -q -u "$unit" -o cat --no-pager | tail -n 5
  echo "PHP $php of the site did not start."
  return 1
}

# By a file that no program of the site can change, and beside which none can put a .user.ini.
php_proof() { echo "${php_socket%/*}/settings.php"; }

# Asks the PHP that runs what it is and which limits it has.
prove_php() {
  local file said='' until=$((SECONDS + 20))
  file=$(php_proof)
  printf '%s\n' '<?php echo "is ", PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION, " ", ini_get("upload_max_filesize"), " ", ini_get("memory_limit"), "\n";' >"$file"
  chmod 644 "$file"
  while ((SECONDS < until)); do
    said=$(ask_php "$file" 2>/dev/null | sed -n 's/^is //p') || true
    if [[ $said == "$new_php ${new_upload}M ${new_memory}M" ]]; then
      rm -f "$file"
      return
    fi
    sleep 0.2
  done
  rm -f "$file"
  echo "PHP of the site does not run with these settings${said:+ but as $said}. $settings/php-fpm.conf or the php.ini of PHP $new_php may say otherwise."
  return 1
}

# ask_php FILE: what PHP answers for it, over FastCGI, without the web server.
ask_php() {
  env -i PATH="$PATH" SCRIPT_FILENAME="$1" SCRIPT_NAME=/settings.php REQUEST_METHOD=GET SERVER_PROTOCOL=HTTP/1.1 \
    timeout 10 cgi-fcgi -bind -connect "$php_socket"
}

# It comes with the install. Servers that were installed with an earlier version get it when it is needed.
has_php_client() { command -v cgi-fcgi >/dev/null; }
install_php_client() {
  update_lists
  apt_get install libfcgi-bin
}

# An older program that renews certificates would forget the folder, the number and where names lead.
change_vhost() {
  if [[ -e $renewal_script ]]; then put_renewal; fi
  keep_web
  served_folder=$new_folder
  www_redirect=${new_www/no/}
  hsts=${new_hsts/#0/}
  if changes_held; then held_requests=$((new_workers + new_waiting)); fi
  write_vhost
  reload_apache
  prove_names
  [[ $ssl != yes ]] || prove_ssl
}
