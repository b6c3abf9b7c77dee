# What keeps programs of a site inside of its unit, for sites and servers of earlier versions. The units and virtual hosts themselves are rewritten
# elsewhere. All functions may be repeated.
source facts/read-crontab.bash
source sites/files.bash
source sites/mail-limits.bash
source sites/senders.bash
source sites/site-cron.bash
source sites/site.bash
source steps/mail.bash
source steps/manifest.bash
source upgrade/keep.bash

# A crontab that cron itself ran is run by the site's own cron.
upgrade_site_isolation() {
  local former=/var/spool/cron/crontabs/$name
  [[ -e $former || -d $site_crontabs/$name ]] || return 0
  if [[ -e $former ]]; then
    keep_for_undo "$former"
    keep_for_undo "$site_crontabs/$name/$name"
    echo "The cron jobs of $name run confined as its PHP is."
  fi
  confine_crontab "$name" && run_site_cron "$name"
}

upgrade_server_isolation() {
  end_managers
  write_sendmail
  if limits_mail; then
    # The list of sites that have sent enough stays when this is taken back, because Postfix may read it until then: sites/mail-limits.bash.
    cmp -s "$limits_program" <(content_limits) || keep_for_undo "$limits_program"
    cmp -s "$limits_unit" <(content_limits_unit) || keep_for_undo "$limits_unit"
    limit_mail
  fi
  if [[ -n $(lacking_restrictions) ]]; then keep_for_undo "$postfix_conf"; fi
  refresh_senders
  admit_keys
}

unwind_site_isolation() { run_site_cron "$name"; }

unwind_server_isolation() {
  if [[ ! -e $limits_unit ]]; then
    systemctl -q stop "${limits_unit##*/}" 2>/dev/null || true
    rm -f "/etc/systemd/system/multi-user.target.wants/${limits_unit##*/}"
  fi
  if sshd -t; then systemctl reload ssh; fi
  if systemctl -q is-active postfix; then systemctl reload postfix; fi
}

# Users of sites sign in by key too. The line counts for their group only, and the rest of the file stays as it is.
admit_keys() {
  local conf=/etc/ssh/sshd_config.d/60-gatehouse-sites.conf
  grep -qx '  AuthorizedKeysFile none' "$conf" 2>/dev/null || return 0
  keep_for_undo "$conf"
  sed 's,^  AuthorizedKeysFile none$,  AuthorizedKeysFile /etc/ssh/gatehouse-sites/%u,' "$conf" | write_file "$conf" 644
  sshd -t
  systemctl reload ssh
  echo 'Users of sites can sign in by SFTP with a key.'
}

# A login by SFTP before this version may have left a manager of units, and lingering starts it at each boot.
end_managers() {
  local record user uid
  refuse_managers
  for record in "$sites_home"/*/site; do
    [[ -e $record ]] || continue
    user=$(basename "${record%/site}")
    uid=$(id -u -- "$user" 2>/dev/null) || continue
    rm -f -- "/var/lib/systemd/linger/$user"
    ! systemctl -q is-active "user@$uid.service" || echo "$user had a manager of units; it is stopped."
    systemctl -q stop "user@$uid.service" "user-runtime-dir@$uid.service" 2>/dev/null || true
  done
}
