# The settings of PHP as version 1 wrote them. A line of a site's file that neither this nor today's version has is an admin's own.
source sites/staging/content.bash

content_php_1() {
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
; Requests that no worker is free for hold the web server's threads, which all sites share.
listen.backlog = 20
pm = ondemand
pm.max_children = 10
pm.process_idle_timeout = 60s
pm.max_requests = 1000
request_terminate_timeout = 300s
catch_workers_output = yes
decorate_workers_output = no
security.limit_extensions = .php
php_admin_flag[log_errors] = on
php_admin_value[session.save_path] = $home/private/sessions
php_value[session.gc_probability] = 1
php_value[upload_max_filesize] = 64M
php_value[post_max_size] = 72M
php_value[memory_limit] = 256M
END
  [[ -z $live_name ]] || cat <<END
; A staging copy does not act as the live site.
env[WP_ENVIRONMENT_TYPE] = staging
php_admin_value[auto_prepend_file] = $staging_programs/staging.php
php_admin_value[sendmail_path] = "/bin/sh -c 'cat >\$(mktemp --suffix=.eml -p $home/private/mail)' mail"
END
}
