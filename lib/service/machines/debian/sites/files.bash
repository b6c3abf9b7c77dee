# The record, the Linux user and the folders of a site. The user may sign in by SFTP only, and sees nothing but its own folder,
# whose root belongs to root.
source sites/apache.bash
source sites/site.bash

content_record() { printf '%s\n' "id $site_id" "domain $domain" "php $php" "state $state_version" ${live_name:+"staging-of $live_name"} ${site_owner:+"owner $site_owner"}; }

content_rotation() {
  cat <<END
# Put here by Gatehouse.
$sites_logs/*/*.log {
  daily
  rotate 14
  compress
  delaycompress
  missingok
  notifempty
  create 640 root adm
  sharedscripts
  postrotate
    systemctl -q is-active apache2 && systemctl reload apache2
    systemctl kill --kill-whom=main -s USR1 'gatehouse-php*@*.service' 2>/dev/null || true
  endscript
}
END
}

content_first_page() {
  cat <<'END'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>This site is ready</title>
<style>body { font: 18px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 32rem; padding: 0 1.5rem; color-scheme: light dark }</style>
<h1>This site is ready</h1>
<p>Upload your files to the folder <code>public</code>, and delete <code>index.html</code>.</p>
END
}

# pam_systemd starts a manager of units for each user who signs in, also by SFTP. It would run programs of a site outside of what confines
# them, and with lingering at each boot. The condition is here, not in PAM, whose files pam-auth-update and admins rewrite.
content_no_manager() {
  cat <<END
# Put here by Gatehouse. Users of sites get no manager of their own.
[Service]
ExecCondition=+/bin/sh -c '! id -Gn -- %i | tr " " "\\\\n" | grep -qx $sites_group'
END
}

refuse_managers() {
  local each changed=''
  for each in user user-runtime-dir; do
    install -d -m 755 "/etc/systemd/system/$each@.service.d"
    if write_if_new "/etc/systemd/system/$each@.service.d/gatehouse-sites.conf" 644 content_no_manager; then changed=yes; fi
  done
  [[ -z $changed ]] || systemctl daemon-reload
}

# Apache reads the files of a site as a member of its group: docs/decisions/052-what-serves-a-site-is-in-its-group.md. A process of Apache has the
# groups that its user had when it started, so a new member reads after the next reload.
has_member() { getent group "$name" | cut -d: -f4 | tr , '\n' | grep -xF www-data >/dev/null; }
share_group() { has_member || gpasswd -a www-data "$name" >/dev/null; }
unshare_group() { ! has_member || gpasswd -d www-data "$name" >/dev/null; }

# Whether a process of Apache that takes connections lacks the group of the site. Those that only finish requests after a reload take none.
apache_lacks_group() {
  local pid gid main
  gid=$(id -g -- "$name")
  main=$(systemctl show -P MainPID apache2)
  for pid in $(ss -Htlnp | grep -oE '\("apache2",pid=[0-9]+' | cut -d= -f2 | sort -u); do
    [[ $pid == "$main" || ! -e /proc/$pid ]] || grep -E "^Groups:.*[[:space:]]$gid([[:space:]]|\$)" "/proc/$pid/status" &>/dev/null || return 0
  done
  return 1
}

# let_apache_read: for a site that an earlier version made. At its end, Apache reads by the group of the site.
let_apache_read() {
  local tries=300
  share_group
  apache_lacks_group || return 0
  reload_apache
  while apache_lacks_group; do
    ((tries-- > 0)) || { echo "Apache does not read as a member of the group $name. See whether it runs as www-data."; return 1; }
    sleep 0.1
  done
}

create_files() {
  # From here on a failure removes what is named after the site.
  : >"$job_home/begun"
  sync "$job_home"
  install -d -m 755 "$sites_home"
  install -d -m 700 "$settings"
  content_record | write_file "$settings/site" 600
  sync -f "$settings"
  getent group "$sites_group" >/dev/null || groupadd --system "$sites_group"
  refuse_managers
  useradd --no-create-home --home-dir "$home" --shell /usr/sbin/nologin --user-group --groups "$sites_group" -- "$name"
  printf '%s:%s\n' "$name" "$password" | chpasswd || { echo 'The server refused the password.'; exit 1; }
  share_group
  # Others may pass through, but not list. No folder has setgid: programs repeat the mode of a folder, and setgid is denied to them.
  install -d -m 751 -o root -g "$name" "$home"
  install -d -m 750 -o "$name" -g "$name" "$home/public"
  install -d -m 700 -o "$name" -g "$name" "$home/private" "$home/private/sessions"
  content_first_page | setpriv --reuid "$name" --regid "$name" --clear-groups tee "$home/public/index.html" >/dev/null
  install -d -m 755 "$sites_logs"
  install -d -m 750 -o root -g adm "$logs"
  write_if_new /etc/logrotate.d/gatehouse-sites 644 content_rotation || true
}
