# PHP of a site: its own PHP-FPM, so that no other site shares its memory, its processes or its temporary files.
source sites/confine.bash
source sites/file-server.bash
source sites/php-settings.bash
source sites/refuse.bash
source sites/senders.bash
source sites/site.bash
source sites/staging/content.bash
source steps/apt.bash
source steps/web.bash

content_php_unit() {
  cat <<END
# Put here by Gatehouse.
[Unit]
Description=PHP $php of the site %i
After=network.target

[Service]
Type=notify
ExecStart=/usr/sbin/php-fpm$php --nodaemonize --fpm-config $sites_home/%i/php-fpm.conf
ExecReload=/bin/kill -USR2 \$MAINPID
Restart=on-failure
RestartSec=1
KillMode=mixed
TimeoutStopSec=30
RuntimeDirectory=gatehouse-sites/%i
$(confinement %i)
ReadWritePaths=$sites_logs/%i -/var/spool/postfix -/var/spool/exim4 -/var/log/exim4
MemoryMax=$(($(default_workers) * 100))M
TasksMax=256

[Install]
WantedBy=multi-user.target
END
}

content_php() {
  cat <<END
; Put here by Gatehouse.
[global]
error_log = $logs/php.log
daemonize = no
process_control_timeout = 10s

[$name]
user = $name
group = $name
listen = $php_socket
listen.owner = root
listen.group = www-data
listen.mode = 0660
; A worker is always ready. With "ondemand", connections that come in the moment in which the last idle worker ends start no other one, and
; nothing does later: PHP of the site would be silent.
listen.backlog = 511
pm = dynamic
pm.start_servers = 1
pm.min_spare_servers = 1
pm.max_requests = 1000
request_terminate_timeout = 300s
catch_workers_output = yes
decorate_workers_output = no
security.limit_extensions = .php
php_admin_flag[log_errors] = on
php_admin_value[session.save_path] = $home/private/sessions
php_value[session.gc_probability] = 1
END
  content_php_settings
  if [[ -n $live_name ]]; then content_staging_php; fi
}

# Adds what is missing to the newest version that is there, or Debian's own version. Packages that were removed leave their settings behind.
install_php() {
  local version
  version=$(php_version)
  [[ -x /usr/sbin/php-fpm$version ]] || version=''
  update_lists
  apt_get install "php$version-fpm" "php$version-mysql"
  [[ -n $(php_versions) ]] || refuse "PHP does not load its module mysqli, which sites need for their databases. Run “phpenmod mysqli”, then try again."
}

put_php() {
  local upload memory workers
  take_default_php_settings
  write_sendmail
  if write_if_new "/etc/systemd/system/gatehouse-php$php@.service" 644 content_php_unit; then systemctl daemon-reload; fi
  content_php | write_file "$settings/php-fpm.conf" 600
}

await_php() {
  local said unit
  unit=$(php_unit "$php")
  systemctl start "$unit" 2>/dev/null && [[ -S $php_socket ]] && return
  said=$("/usr/sbin/php-fpm$php" -t -y "$settings/php-fpm.conf" 2>&1) || { echo "$said"; return 1; }
  journalctl -q -u "$unit" -o cat --no-pager | tail -n 10
  echo "PHP of the site did not start."
  return 1
}

# PHP, and what reads the site's files: both start while the database is created.
begin_programs() {
  put_file_server
  put_php
  begin_units "$(file_server_unit)" "$(php_unit "$php")"
}

await_programs() {
  if systemctl start "$(php_unit "$php")" "$(file_server_unit)" 2>/dev/null && [[ -S $php_socket && -S $files_socket ]]; then return; fi
  # Which one did not, and why.
  await_php
  await_file_server
}
