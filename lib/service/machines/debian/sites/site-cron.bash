# Cron of a site's user: a cron of its own, which knows this crontab only and is confined as the site's PHP is, whatever the jobs say. Needs
# site_crontabs of read-crontab.bash.
source changes/replace-file.bash
source facts/read-crontab.bash
source sites/confine.bash

is_site_user() { [[ -e /etc/gatehouse/sites/$1/site ]]; }

content_site_cron() {
  cat <<END
# Put here by Gatehouse.
[Unit]
Description=Cron jobs of the site %i
# Its files are there before this unit puts others over them.
After=cron.service remote-fs.target nss-user-lookup.target

[Service]
EnvironmentFile=-/etc/default/cron
ExecStart=/usr/sbin/cron -f
IgnoreSIGPIPE=no
Restart=on-failure
$(confinement %i)
BindPaths=$site_crontabs/%i:/var/spool/cron/crontabs $site_crontabs/.%i.pid:/run/crond.pid
InaccessiblePaths=-/etc/crontab -/etc/cron.d
ReadWritePaths=-/var/spool/postfix -/var/spool/exim4 -/var/log/exim4
MemoryMax=1G
TasksMax=256

[Install]
WantedBy=multi-user.target
END
}

# confine_crontab NAME: moves the crontab to where only the site's own cron looks, also one that somebody has made by crontab(1) since.
confine_crontab() {
  local folder=$site_crontabs/$1 former=/var/spool/cron/crontabs/$1
  [[ ! -d $folder || -e $former ]] || return 0
  install -d -m 755 "$site_crontabs" && install -d -m 1730 -g crontab "$folder" && touch "$site_crontabs/.$1.pid" || return
  if [[ -e $former && -e $folder/$1 ]]; then
    cat -- "$former" >>"$folder/$1" && rm -f -- "$former"
  elif [[ -e $former ]]; then
    mv -T -- "$former" "$folder/$1"
  fi
}

# change_crontab NAME ARGUMENT...: crontab(1), in whichever folder the crontab is.
change_crontab() {
  if [[ -d $site_crontabs/$1 ]]; then
    unshare --mount -- bash -c 'mount --bind "$0" /var/spool/cron/crontabs && exec crontab -u "$@"' "$site_crontabs/$1" "$@"
  else
    crontab -u "$@"
  fi
}

# run_site_cron NAME: as long as there is a crontab.
run_site_cron() {
  local unit=/etc/systemd/system/gatehouse-cron@.service content
  if [[ ! -s $site_crontabs/$1/$1 ]]; then
    systemctl -q disable --now "gatehouse-cron@$1.service" 2>/dev/null || true
    return
  fi
  content=$(content_site_cron)
  if [[ $(cat "$unit" 2>/dev/null) != "$content" ]]; then
    printf '%s\n' "$content" | replace_file "$unit" 644 $((${#content} + 1)) && systemctl daemon-reload || return
  fi
  systemctl -q enable --now "gatehouse-cron@$1.service"
}

remove_site_cron() {
  systemctl -q disable --now "gatehouse-cron@$1.service" 2>/dev/null || true
  rm -rf -- "${site_crontabs:?}/$1" "$site_crontabs/.$1.pid"
}
