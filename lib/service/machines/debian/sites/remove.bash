# Removes everything of a site and nothing else. May be repeated after any interruption; without the record there is nothing to remove.
source changes/room.bash
source sites/apache.bash
source sites/database.bash
source sites/file-server.bash
source sites/files.bash
source sites/mail-server.bash
source sites/orders.bash
source sites/senders.bash
source sites/site-cron.bash
source sites/site.bash
source sites/staging/content.bash
source sites/staging/copy.bash

remove_site() {
  local unit
  is_ours || return 0
  begin_removal
  make_room
  # Before Apache is reloaded: the number of the group may become that of another one.
  unshare_group || echo 'Apache has the group of the site until it is reloaded again.'
  if [[ -e $vhost || -L $vhost_link ]]; then
    rm -f "$vhost_link" "$vhost"
    reload_apache || echo 'Apache still serves the site until it is reloaded.'
  fi
  # Before its record goes, so that a deletion that is repeated finds it again.
  if [[ -d $mail_settings ]]; then
    rm -f "$mail_on"
    settle_mail alone
    forget_closed_mail
    rm -rf -- "/var/lib/gatehouse-mail/sent/${domain:?}"
  fi
  # A reload that failed, or a boot in between, must not leave the folder in use.
  for unit in $(units_of_php); do
    systemctl -q disable --now "$unit" 2>/dev/null || true
    systemctl reset-failed "$unit" 2>/dev/null || true
  done
  remove_file_server
  # One of its own: upgrade/units.bash.
  find /etc/systemd/system -maxdepth 1 -name "gatehouse-php*@$name.service" -delete
  ! command -v mariadb >/dev/null || drop_database
  remove_user
  rm -f -- "$(keys_file)"
  rm -rf --one-file-system -- "$home" "$logs" "$proofs" "/var/mail/$name" "/run/gatehouse-sites/$name" "/run/gatehouse-files/$name"
  forget_orders
  find "$settings" -mindepth 1 ! -path "$settings/site" ! -path "$settings/removing" -delete
  rm -f "$unfinished" "$(password_file)"
  refresh_senders
  sync -f /etc
  # At one moment, because a folder without the record would be nobody's.
  mv -T -- "$settings" "$deleted"
  rm -rf -- "$deleted"
}

# The last backup, if there is one: a deletion that is repeated makes no other.
begin_removal() {
  [[ ! -e $settings/removing || -e $job_home/backup ]] || return 0
  if { [[ ! -e $job_home/backup ]] || cat "$job_home/backup"; } | write_file "$settings/removing" 600; then return; fi
  # On a full disk there is room for a link, whose text is no backup.
  [[ -e $settings/removing ]] || ln -sT site "$settings/removing"
}

# On a full disk, what follows needs some room: the files of the site are the first to go. Apache refuses a virtual host without the folder of its logs.
make_room() {
  ! has_room /etc 2>/dev/null || return 0
  rm -rf --one-file-system -- "$home/.replaced" "$home"/{public,private}
  find "$logs" -xdev -type f -delete
}

# Its staging copy goes with a site, and first: a deletion that was interrupted is repeated for the site.
remove_with_copy() {
  is_ours || return 0
  begin_removal
  remove_copy
  remove_site
}

# list_shared UID FILE: the ids of what the user owns or has made. Each kind has its columns in another order.
list_shared() {
  awk -v uid="$1" '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; id = column["shmid"] + column["semid"] + column["msqid"]; next }
    $column["uid"] == uid || $column["cuid"] == uid { print $id }' "$2"
}

# remove_belongings UID: what the user left where all users may write. The next user of that number would own it.
remove_belongings() {
  local each id
  rm -f -- "/var/lib/systemd/linger/$name"
  for each in /tmp /var/tmp /run/lock /dev/shm /dev/mqueue /var/spool/postfix/maildrop; do
    [[ ! -d $each ]] || find "$each" -xdev -mindepth 1 -depth -user "$1" -delete || true
  done
  for each in m/shm s/sem q/msg; do
    while read -r id; do ipcrm "-${each%/*}" "$id" || true; done < <(list_shared "$1" "/proc/sysvipc/${each#*/}")
  done
}

remove_user() {
  local said uid
  # useradd and userdel write one file after the other. One that was killed has left the user in some of them.
  if ! id -u -- "$name" &>/dev/null && grep -qsE "^$name:|[:,]$name(,|\$)" /etc/{shadow,group,gshadow,subuid,subgid}; then
    useradd --no-create-home --no-user-group --shell /usr/sbin/nologin -- "$name" 2>/dev/null
  fi
  if id -u -- "$name" &>/dev/null; then
    uid=$(id -u -- "$name")
    # Otherwise somebody could sign in between the kill and the deletion, and stay.
    usermod -L -e 1 -- "$name"
    pkill -KILL -u "$uid" || true
    crontab -r -u "$name" 2>/dev/null || true
    remove_site_cron "$name"
    remove_belongings "$uid"
    said=$(userdel -f -- "$name" 2>&1) || { echo "$said"; return 1; }
    pkill -KILL -u "$uid" || true
  fi
  # groupdel does not know a group that only gshadow has.
  if ! getent group "$name" >/dev/null && grep -qs "^$name:" /etc/gshadow; then groupadd -- "$name"; fi
  ! getent group "$name" >/dev/null || groupdel -- "$name"
}

# Before a site has its record, it is only an empty folder.
remove_beginnings() {
  if is_ours; then
    remove_site
  elif [[ -e $settings ]]; then
    rmdir -- "$settings"
  fi
}
