# The units and settings of PHP, virtual hosts, and what is the server's: the rotation of logs, the renewal of certificates, the nightly backup, the
# take-back at boot.
source sites/files.bash
source sites/php-settings.bash
source sites/php.bash
source sites/put-renewal.bash
source sites/site.bash
source sites/staging/content.bash
source sites/vhost.bash
source steps/backups.bash
source steps/manifest.bash
source steps/take-back.bash
source upgrade/former.bash
source upgrade/keep.bash

units_home=/etc/systemd/system

upgrade_server_units() {
  local template php
  for template in "$units_home"/gatehouse-php*@.service; do
    [[ -e $template ]] || continue
    php=${template##*/gatehouse-php} php=${php%@.service}
    replace "$template" 644 content_php_unit
  done
  replace_present /etc/logrotate.d/gatehouse-sites 644 content_rotation
  replace_present "$staging_programs/staging.php" 644 content_prepended
  replace_present "$staging_programs/rewrite.php" 644 content_rewriting
  replace_present "$renewal_script" 755 content_renewal
  replace_present "$renewal_service" 644 content_renewal_service
  replace_present "$renewal_timer" 644 content_renewal_timer
  replace_listed "$backup_script" 755 content_backup
  replace_listed "$backup_service" 644 content_backup_service
  replace_listed "$backup_timer" 644 content_backup_timer
  if [[ -n $(listed_hash_of "$take_back_service") ]]; then
    replace_listed "$take_back_script" 755 content_take_back
    replace_listed "$take_back_service" 644 content_take_back_service
  elif [[ -e $backup_script ]]; then
    add_take_back
  fi
}

# Servers that an earlier version installed have none.
add_take_back() {
  keep_for_undo "$manifest"
  replace "$take_back_script" 755 content_take_back
  keep_for_undo "$take_back_link"
  link_take_back
  replace "$take_back_service" 644 content_take_back_service
  record "$(hash_of "$take_back_script")  $take_back_script" "$(hash_of "$take_back_service")  $take_back_service"
}

# What a server does not have yet comes with the first site that needs it.
replace_present() { [[ ! -e $1 ]] || replace "$@"; }

# replace_listed PATH MODE CONTENT-FUNCTION: a file of the install, unless it was edited or deleted by hand: steps/files.bash.
replace_listed() {
  [[ -e $1 ]] || return 0
  [[ $(hash_of "$1") == "$(listed_hash_of "$1")" ]] || { echo "$1 was edited by hand and stays as it is."; return 0; }
  ! cmp -s "$1" <("$3" 2>/dev/null) || return 0
  keep_for_undo "$manifest"
  replace "$@"
  record "$(hash_of "$1")  $1"
}

upgrade_site_units() {
  leave_own_unit
  replace_php_settings
  replace_vhost
}

# The unit that an earlier upgrade has given to this site alone, because the new one of all sites did not run its PHP.
own_unit() { echo "$units_home/$(php_unit "$php")"; }

leave_own_unit() {
  [[ -f $(own_unit) ]] || return 0
  keep_for_undo "$(own_unit)"
  rm -f -- "$(own_unit)"
}

# A site that could not be brought up to date runs as before: the other sites have the new unit by now.
keep_former_unit() {
  local former each
  for each in now kept; do
    former=$upgrade_home/$each/server/files$units_home/gatehouse-php$php@.service
    [[ -f $former && ! -e $(own_unit) ]] || continue
    write_file "$(own_unit)" 644 <"$former"
    echo "Its PHP keeps the former unit: $(own_unit)"
  done
}

replace_php_settings() {
  local upload memory workers own said new=$job_home/php-fpm.conf
  [[ -e $settings/php-fpm.conf ]] || return 0
  [[ -x /usr/sbin/php-fpm$php ]] || { echo "PHP $php is not installed, so the settings of PHP stay as they are."; return 0; }
  take_default_php_settings
  # A number that an admin chose stays, and other numbers depend on it.
  own=$(sed -n 's/^pm\.max_children = \([0-9]\{1,4\}\)$/\1/p' "$settings/php-fpm.conf" | tail -n 1)
  [[ -z $own || $own == 10 ]] || workers=$own
  content_php >"$job_home/php-fpm.today"
  content_php_1 >"$job_home/php-fpm.former"
  merge_php "$job_home/php-fpm.former" "$job_home/php-fpm.today" "$settings/php-fpm.conf" >"$new"
  ! cmp -s "$new" "$settings/php-fpm.conf" || return 0
  said=$("/usr/sbin/php-fpm$php" -t -y "$new" 2>&1) || { echo "$said"; return 1; }
  replace "$settings/php-fpm.conf" 600 content_merged
}

content_merged() { cat "$job_home/php-fpm.conf"; }

# merge_php FORMER TODAY PRESENT: today's lines; a line of the present file that is of neither stays, instead of today's line of its name.
merge_php() {
  awk '
    function name(line) { sub(/[ \t]*=.*/, "", line); gsub(/^[ \t]+/, "", line); return line }
    FNR == 1 { file++; section = "" }
    /^\[/ { section = $0 }
    file < 3 { ours[section, $0] = 1 }
    file == 2 { line[++count] = $0; place[count] = section; known[section] = 1 }
    file < 3 || /^[ \t]*$/ || (section, $0) in ours { next }
    /^\[/ { order[++others] = $0; next }
    { own[section] = own[section] $0 "\n"; if (!/^[ \t]*[;#]/) taken[section, name($0)] = 1 }
    END {
      for (i = 1; i <= count; i++) {
        if (i > 1 && place[i] != place[i - 1]) printf "%s", own[place[i - 1]]
        if (!((place[i], name(line[i])) in taken)) print line[i]
      }
      printf "%s", own[place[count]]
      for (i = 1; i <= others; i++) printf "%s\n%s", order[i], own[order[i]]
    }' "$@"
}

replace_vhost() {
  [[ -e $vhost ]] || return 0
  is_vhost_unedited || { echo "$vhost was edited by hand and stays as it is."; return 0; }
  ! cmp -s "$vhost" <(content_vhost 2>/dev/null) || return 0
  keep_for_undo "$vhost"
  write_vhost
  echo "Replaced: $vhost"
}
