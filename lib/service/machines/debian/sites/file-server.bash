# What reads the files that a site serves: nginx, as a member of the site's group, confined as its PHP is. Apache decides what is served and by whom, but opens
# no file of a site: it may read those of all, and a site's programs may swap a file for a link between its check and its reading.
# docs/decisions/056-who-opens-the-files-of-a-site.md
source sites/confine.bash
source sites/site.bash
source steps/apt.bash

# Not the site's user: what only that may read is served to nobody.
files_user=gatehouse-files

# Sites that were made before have none until they are brought up to date.
has_file_server() { [[ -e $settings/files.conf ]]; }

file_server_unit() { echo "gatehouse-files@$name.service"; }

content_file_server_unit() {
  cat <<END
# Put here by Gatehouse.
[Unit]
Description=Files of the site %i
After=network.target

[Service]
Type=forking
PIDFile=/run/gatehouse-files/%i/pid
ExecStart=/usr/sbin/nginx -e stderr -c $sites_home/%i/files.conf
ExecReload=/bin/kill -HUP \$MAINPID
Restart=on-failure
RestartSec=1
KillMode=mixed
TimeoutStopSec=10
# Only Apache gets to the socket.
Group=www-data
RuntimeDirectory=gatehouse-files/%i
RuntimeDirectoryMode=0710
$(confinement %i)
ReadOnlyPaths=/home/%i
PrivateNetwork=yes
NoNewPrivileges=yes
CapabilityBoundingSet=CAP_SETUID CAP_SETGID CAP_CHOWN CAP_KILL
MemoryMax=128M
TasksMax=8

[Install]
WantedBy=multi-user.target
END
}

# Apache asks by the whole path and names the kind of content. What it refuses is refused here too.
content_file_server() {
  local folder=${files_socket%/*}
  cat <<END
# Put here by Gatehouse.
user $files_user $name;
worker_processes 1;
pid $folder/pid;
events { worker_connections 1024; }
http {
  types { }
  default_type "";
  access_log off;
  server_tokens off;
  sendfile on;
  keepalive_timeout 65s;
  keepalive_requests 100000;
  client_body_temp_path $folder/body;
  proxy_temp_path $folder/proxy;
  fastcgi_temp_path $folder/fastcgi;
  uwsgi_temp_path $folder/uwsgi;
  scgi_temp_path $folder/scgi;
  server {
    listen unix:$files_socket;
    root /;
    location / { return 404; }
    location $home/public/ { }
    location ~ "\.ph(p|ar|ps|tml)\$|/\.(?!well-known(/|\$))" { return 404; }
  }
}
END
}

# Debian would start nginx as a web server of its own, on Apache's port.
install_file_server() {
  local masked
  masked=$(systemctl is-enabled nginx.service 2>/dev/null) || true
  systemctl -q mask nginx.service
  update_lists
  apt_get install nginx || { [[ $masked == masked ]] || systemctl -q unmask nginx.service; return 1; }
}

# begin_file_server: it starts while other things are done. await_file_server: once it has.
begin_file_server() {
  put_file_server
  begin_units "$(file_server_unit)"
}

# begin_units UNIT...: one call for all, as each takes a while where there are many.
begin_units() {
  systemctl -q enable --no-reload "$@"
  systemctl restart --no-block "$@"
}

put_file_server() {
  id -u -- "$files_user" &>/dev/null || useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin --user-group -- "$files_user"
  if write_if_new /etc/systemd/system/gatehouse-files@.service 644 content_file_server_unit; then systemctl daemon-reload; fi
  content_file_server | write_file "$settings/files.conf" 600
}

await_file_server() {
  local unit
  unit=$(file_server_unit)
  systemctl start "$unit" 2>/dev/null && [[ -S $files_socket ]] && return
  journalctl -q -u "$unit" -o cat --no-pager | tail -n 5
  echo 'The program that reads the files of the site did not start.'
  return 1
}

remove_file_server() {
  systemctl -q disable --now "$(file_server_unit)" 2>/dev/null || true
  systemctl reset-failed "$(file_server_unit)" 2>/dev/null || true
}

# In the virtual host. No condition leads to Apache's own handler, which would open the file: what the condition asked may have changed by then. So requests
# for what is no file go to the site's program by a handler too, with the values that FallbackResource gives.
# content_files_handler ROOT
content_files_handler() {
  if ! has_file_server; then
    echo '      SetHandler none'
    return
  fi
  cat <<END
      SetHandler "proxy:unix:$files_socket|http://$name"
      ProxyErrorOverride On
      <IfModule mod_headers.c>
        Header unset Server
      </IfModule>
      # A file has nothing below it. Programs get the rest of such a path.
      <If "-n %{PATH_INFO} && -f %{REQUEST_FILENAME} && %{REQUEST_FILENAME} !~ /\.php$/">
        Redirect 404 "/"
      </If>
      <If "! -f %{REQUEST_FILENAME} && -f '$1/index.php'">
        SetHandler "proxy:unix:$php_socket|fcgi://$name"
        ProxyErrorOverride Off
        ProxyFCGISetEnvIf "true" SCRIPT_FILENAME "$1/index.php"
        ProxyFCGISetEnvIf "true" SCRIPT_NAME "/index.php"
        ProxyFCGISetEnvIf "true" !PATH_INFO
        ProxyFCGISetEnvIf "true" !PATH_TRANSLATED
      </If>
END
}

# content_fallback ROOT: where Apache opens the files. A mapped file that a site truncates while it is sent would end a process of Apache, with the visitors of
# all sites in it. sendfile() sends short files where they shrink, and on some file systems wrong ones. Without index.php, Apache would look for it without end.
content_fallback() {
  ! has_file_server || return 0
  cat <<END
    EnableMMAP Off
    EnableSendfile Off
    <If "-f '$1/index.php'">
      FallbackResource /index.php
    </If>
END
}

# Visitors who take their time hold threads that all sites share, so a site holds a part of each process of Apache. Others get 503 after a second.
content_files_limits() {
  has_file_server || return 0
  cat <<END
<Proxy "unix:$files_socket|http://$name">
  ProxySet max=60 acquire=1000 retry=0 ttl=30
  # Debian's processes have 25 threads.
  <IfDefine !gatehouse_threads>
    ProxySet max=10
  </IfDefine>
</Proxy>
END
}
