# What a site was when it was backed up, beside its files and tables. A living site keeps its settings: only the folder that it serves is never wider
# than then. One that was created again gets them back, as far as that is possible; the last line of the job says what is as before and what is not.
source facts/read-crontab.bash
source sites/apache.bash
source sites/backup-files.bash
source sites/certificate.bash
source sites/check-change.bash
source sites/check.bash
source sites/forwards.bash
source sites/jobs/email.bash
source sites/mail-ports.bash
source sites/mail-programs.bash
source sites/mail-server.bash
source sites/mail.bash
source sites/manifest.bash
source sites/php-settings.bash
source sites/put-renewal.bash
source sites/refuse.bash
source sites/run.bash
source sites/settings.bash
source sites/sftp-keys.bash
source sites/site-cron.bash
source sites/site.bash
source sites/ssl.bash
source sites/vhost.bash
source sites/web.bash
source steps/tell.bash

# read_then: from the unpacked archive, which may come from anywhere: what is no plain value is left out.
read_then() {
  local from=$restoring/virtual-host php_then=$restoring/php-fpm.conf
  {
    if [[ $(value_of id) != "$site_id" || $(former_name) != "$name" ]]; then echo 'again yes'; fi
    sed -nE 's|^  DocumentRoot /home/[a-z][a-z0-9]*/public/?|folder /|p' "$from" 2>/dev/null | grep -xE 'folder /([A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*)?' | sed -n 1p
    sed -n 's/^  ServerAlias /aliases /p' "$from" 2>/dev/null | grep -xE 'aliases [a-z0-9. -]+' | sed -n 1p
    ! grep -q '^  SSLEngine on' "$from" 2>/dev/null || echo 'ssl yes'
    ! grep -qxF '  # With www: leads to the domain.' "$from" 2>/dev/null || echo 'www yes'
    sed -nE 's/^    Header always set Strict-Transport-Security "max-age=([0-9]{1,9})"$/hsts \1/p' "$from" 2>/dev/null
    value_of php | sed -nE 's/^[0-9]{1,2}\.[0-9]{1,2}$/php &/p'
    sed -nE 's/^pm\.max_children = ([0-9]{1,4})$/workers \1/p' "$php_then" 2>/dev/null
    sed -nE 's/^  ProxySet max=([0-9]{1,4}) acquire=1 .*/held \1/p' "$from" 2>/dev/null | sed -n 1p
    sed -nE 's/^php_value\[(upload_max_filesize|memory_limit)\] = ([0-9]{1,4})M$/\1 \2/p' "$php_then" 2>/dev/null
    value_of hourly-mail | sed -nE 's/^[1-9][0-9]{0,3}$/hourly-mail &/p'
    value_of email | sed -nE 's/^(on|off)$/email &/p'
  } >"$job_home/then" || true
  sync "$job_home/then"
}

then_of() { sed -n "s/^$1 //p" "$job_home/then" 2>/dev/null | tail -n 1; }
is_created_again() { [[ $(then_of again) == yes ]]; }

# tell_as_before THING, tell_otherwise THING: for the last line.
tell_as_before() { echo "$1" >>"$job_home/as-before"; }
tell_otherwise() {
  echo "Not as before: $1"
  echo "$1" >>"$job_home/otherwise"
}

# choose_folder: which folder is served after the restore. Whatever was outside of the one of then was not to be seen.
choose_folder() {
  local known now=/$served_folder chosen
  known=$(then_of folder)
  chosen=${known:-$now}
  if ! is_created_again && [[ -n $known && ($now/ == "${known%/}/"*) && -d $restoring/files/public$now ]]; then chosen=$now; fi
  chosen=${chosen#/}
  if [[ -n $chosen ]]; then
    [[ -d $restoring/files/public/$chosen && $(realpath -- "$restoring/files/public/$chosen") == "$restoring/files/public"/* ]] ||
      refuse "The backup has no folder public/$chosen, which is to be served. Nothing was changed."
  fi
  echo "$chosen" >"$job_home/folder"
  [[ $chosen == "$served_folder" ]] || is_vhost_unedited ||
    refuse "$vhost was edited by hand and is not overwritten, but the backup served the folder public/$chosen. Put directives of your own into $settings/apache/, restore the file and try again. Nothing was changed."
}

# Before the pause. An older program that renews certificates would forget the folder.
prepare_folder() { if [[ $(<"$job_home/folder") != "$served_folder" && -e $renewal_script ]]; then put_renewal; fi; }

# During the pause.
serve_chosen_folder() {
  local chosen held=$held_requests
  chosen=$(<"$job_home/folder")
  if is_created_again && is_vhost_unedited && [[ -n $(then_of held) ]]; then held=$(then_of held); fi
  if [[ $chosen != "$served_folder" || $held != "$held_requests" ]]; then
    keep_web
    keep_change virtual-host-before
    is_created_again || tell_as_before "the folder public${chosen:+/$chosen}, which is served"
    served_folder=$chosen held_requests=$held
    write_vhost
  fi
  is_created_again || return 0
  if [[ -n $(then_of folder) ]]; then
    tell_as_before 'the folder that is served'
  else
    tell_otherwise 'the folder that is served: the backup does not say which one it was'
  fi
}

# take_directives: of the site's own for Apache, which may do anything there: only those of a backup that this server has verified. During the pause.
take_directives() {
  local each from complaint
  is_created_again && compgen -G "$restoring/apache/*.conf" >/dev/null || return 0
  if ! is_proven "$wanted"; then
    tell_otherwise "its own directives for Apache: this server has not verified the backup. They are in its folder apache"
    return 0
  fi
  from=$(former_name)
  for each in "$restoring/apache"/*.conf; do
    [[ ! -e $settings/apache/${each##*/} ]] || continue
    echo "$settings/apache/${each##*/}" >>"$job_home/directives-added"
    sync "$job_home/directives-added"
    sed "s/\b${from:-$name}\b/$name/g" "$each" | write_file "$settings/apache/${each##*/}" 644
  done
  complaint=$(apache_complaint)
  [[ -z $complaint ]] || { echo "Apache refuses the directives of the site in the backup: $complaint"; return 1; }
  tell_as_before 'its own directives for Apache'
}

remove_directives() {
  local each
  while IFS= read -r each; do rm -f -- "$each"; done <"$job_home/directives-added"
}

# take_folder_back: of a restore that is taken back.
take_folder_back() {
  # Apache may refuse these, so they go first. The end of the pause has it read its configuration again.
  [[ ! -e $job_home/directives-added ]] || take_back remove_directives
  [[ ! -e $job_home/virtual-host-before ]] || mv -T -- "$job_home/virtual-host-before" "$job_home/virtual-host"
  restore_kept_web
}

# php_as_before: the version and the limits.
php_as_before() {
  local new_php new_upload new_memory new_workers upload memory workers waiting
  php=$(site_php)
  read_php_settings
  new_php=$(then_of php) new_upload=$(then_of upload_max_filesize) new_memory=$(then_of memory_limit) new_workers=$(then_of workers)
  if [[ -n $new_php ]] && ! has_php "$new_php"; then
    tell_otherwise "PHP $new_php, which is not installed on this server: it runs with PHP $php"
    new_php=$php
  fi
  new_php=${new_php:-$php} new_upload=${new_upload:-$upload} new_memory=${new_memory:-$memory} new_workers=${new_workers:-$workers}
  [[ -n $new_upload && -n $new_memory ]] || { tell_otherwise 'the limits of PHP'; return 0; }
  if changes_php; then
    has_php_client || install_php_client
    change_php
  fi
  if [[ $new_php == "$(then_of php)" ]]; then tell_as_before "PHP $new_php and its limits"; else tell_as_before 'the limits of PHP'; fi
}

# Before the exchange, so that no program runs with other limits than it was made for.
php_before_exchange() {
  attempt_setting 82 'PHP' 'PHP and its limits' php_as_before
  ((code == 0)) || [[ ! -e $job_home/former ]] || take_back restore_php
}

# aliases_as_before: those that no other site has now, of the account as the service says, or of this server.
aliases_as_before() {
  local each place added=()
  require_valid_configuration
  is_vhost_unedited || { echo "$vhost was edited by hand and is not overwritten."; return 1; }
  for each in $(then_of aliases); do
    [[ $each =~ ^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+$ && $each != "$domain" && " $aliases " != *" $each "* ]] || continue
    place=$(served_by "$each" <<<"$hosts")
    if [[ " $taken " == *" $each "* || (-n $place && $place != "$vhost_link":* && $place != "$vhost":*) ]]; then
      tell_otherwise "the alias $each, which is a name of another site now"
    else
      added+=("$each")
    fi
  done
  ((${#added[@]})) || return 0
  keep_web
  # shellcheck disable=SC2086 # Names, one a word.
  aliases=$(printf '%s\n' $aliases "${added[@]}" | sort | paste -sd ' ')
  write_vhost
  reload_apache
  prove_names
  echo "${added[*]}" >"$job_home/aliases-added"
  keep_change aliased
  tell_as_before "the aliases $(sed 's/ /, /g' <<<"${added[*]}")"
}

# The aliases of a step that ran in a shell of its own.
added_aliases() { if [[ -e $job_home/aliased ]]; then cat "$job_home/aliases-added"; fi; }
with_added_aliases() {
  # shellcheck disable=SC2046,SC2086 # Names, one a word.
  aliases=$(printf '%s\n' $aliases $(added_aliases) | sort | paste -sd ' ')
}

# www_as_before: the name with www leads to the domain.
www_as_before() {
  [[ " $aliases " == *" www.$domain "* ]] || { echo "www.$domain is no alias."; return 1; }
  load_module rewrite || { echo 'Apache’s module rewrite is not loaded here.'; return 1; }
  keep_web
  www_redirect=yes
  write_vhost
  reload_apache
  prove_names
  keep_change led
  tell_as_before "www.$domain, which leads to $domain"
}

# A certificate that is still good answers at once. Otherwise another one is ordered, as when SSL is turned on.
certificate_as_before() {
  local file=$restoring/served.pem
  [[ -s $file ]] && openssl x509 -in "$file" -noout -checkend 86400 >/dev/null 2>&1 || return 1
  openssl x509 -in "$file" -noout -ext subjectAltName | grep -o 'DNS:[^,]*' | sed 's/^DNS://' | grep -xF -- "$domain" >/dev/null || return 1
  [[ $(openssl x509 -in "$file" -noout -pubkey) == "$(openssl pkey -in "$file" -pubout 2>/dev/null)" ]] || return 1
  install -d -m 700 "$certificate_notes"
  write_file "$certificate" 600 <"$file"
  note left-out </dev/null
}

# check_ssl_as_before: what refuses this refuses nothing of the restore.
check_ssl_as_before() {
  check_change
  check_ssl
  write_authority
}

# restore_settings: of a site that was created again, once it is restored. Whatever of it fails is said, and leaves the rest as it is.
restore_settings() {
  is_created_again || return 0
  if [[ -n $(then_of aliases) ]]; then attempt_setting 90 'Aliases' 'its aliases' aliases_as_before; fi
  with_added_aliases
  if [[ $(then_of www) == yes && $www_redirect != yes ]]; then
    attempt_setting 91 'Web server' "www.$domain, which led to $domain" www_as_before
    www_redirect=$(sed -n 's/^  # With www: leads to the domain\.$/yes/p' "$vhost" | head -n 1)
  fi
  if [[ $(then_of ssl) == yes && $ssl != yes ]]; then ssl_as_before; fi
  if [[ -e $restoring/addresses || -e $restoring/dkim.pem || $(then_of email) == on ]]; then email_as_before; fi
  if [[ -n $(then_of hourly-mail) && $(then_of hourly-mail) != "$(hourly_mail)" ]]; then
    attempt_setting 98 'Mail' 'how much mail it may send' hourly_mail_as_before
  fi
  if [[ -s $restoring/sftp-keys ]]; then attempt_setting 98 'SFTP keys' 'its SFTP keys' keys_as_before; fi
  if [[ -s $restoring/crontab ]]; then attempt_setting 98 'Cron' 'its cron jobs' cron_as_before; fi
  if (($(value_of format) < 2)); then
    say running "$(tell_otherwise 'its email and its cron jobs: the backup was made by an earlier version, which did not back them up')"
  fi
}

# attempt_setting PROGRESS TITLE THING FUNCTION
attempt_setting() {
  attempt "$1" "$2" "${@:4}"
  ((code == 0)) && return
  restore_kept_web
  # Nothing goes back to the former one any more.
  rm -f -- "$job_home/virtual-host"
  say running "$(tell_otherwise "$3: ${complaint:-$last}")"
}

ssl_as_before() {
  attempt_setting 92 'SSL' 'SSL' check_ssl_as_before
  ((code == 0)) || return 0
  if ! command -v certbot >/dev/null; then
    attempt_setting 93 'Certificate program' 'SSL' install_certbot
    ((code == 0)) || return 0
  fi
  attempt 94 'Certificate' certificate_as_before
  if ((code != 0)); then
    attempt_setting 94 'Check the names' 'SSL, which has to be turned on again' choose_ssl_names
    ((code == 0)) || return 0
    attempt_setting 95 'Certificate' 'SSL, which has to be turned on again' get_ssl_certificate
    ((code == 0)) || return 0
  fi
  attempt_setting 96 'Web server' 'SSL, which has to be turned on again' serve_ssl
  ((code == 0)) || return 0
  ssl=yes
  tell_as_before 'SSL'
  [[ -z $(then_of hsts) ]] || say running "$(tell_otherwise 'HSTS: choose it again on the page Settings once the site works by https')"
}

email_as_before() {
  attempt_setting 97 'Addresses' 'its addresses of email' addresses_as_before
  ((code == 0)) && [[ $(then_of email) == on ]] || return 0
  attempt_setting 97 'Check the server' 'email, which has to be switched on again' check_email
  ((code == 0)) || return 0
  attempt_setting 97 'Mail programs' 'email, which has to be switched on again' switch_email_on
  if ((code == 0)); then
    : >"$job_home/email-settled"
    forget_closed_mail
    tell_as_before 'email'
  else
    restore_former_email
  fi
}

switch_email_on() {
  install_mail_programs
  note_email yes
  open_mail
  open_mail_ports login
  prove_mail
}

# A job that died while it switched email on.
restore_former_email() { [[ ! -e $job_home/email-was || -e $job_home/email-settled ]] || take_back restore_email 'Switch email on again.'; }

# addresses_as_before: those that lead nowhere in circles. Passwords are hashes.
addresses_as_before() {
  local user to hash
  install -d -m 700 "$mail_settings"
  if [[ ! -s $dkim_key && -s $restoring/dkim.pem ]] && openssl rsa -in "$restoring/dkim.pem" -check -noout >/dev/null 2>&1; then
    write_file "$dkim_key" 600 <"$restoring/dkim.pem"
  fi
  [[ -s $restoring/addresses && ! -s $addresses ]] || return 0
  : >"$job_home/addresses"
  while IFS=$'\t' read -r user to hash; do
    [[ $hash =~ ^(\{SHA512-CRYPT\}\$6\$[A-Za-z0-9./\$=]+)?$ ]] || hash=''
    if is_plain_address "$user" "$to" && ! is_alias "${to##*@}" && ! leads_back "$user@$domain" "$to"; then
      printf '%s\t%s\t%s\n' "$user" "$to" "$hash" >>"$job_home/addresses"
      write_file "$addresses" 600 <"$job_home/addresses"
    else
      tell_otherwise "the address $(tr -cd '[:alnum:]._-' <<<"$user")@$domain, whose mail would come back or has nowhere to go"
    fi
  done <"$restoring/addresses"
  refresh_mail
  tell_as_before 'its addresses of email with their passwords'
}

hourly_mail_as_before() {
  [[ -n $(hourly_mail) ]] || { echo 'this server does not limit mail of sites'; return 1; }
  then_of hourly-mail | write_file "$settings/mail-per-hour" 600
  tell_as_before "at most $(then_of hourly-mail) mails an hour"
}

# keys_as_before: keys let people in, so only those of a backup that this server has verified. Lines of root may have options, which stay.
keys_as_before() {
  is_proven "$wanted" || { echo 'this server has not verified the backup'; return 1; }
  [[ ! -e $(keys_file) ]] || { echo 'the new site has keys already'; return 1; }
  put_keys <"$restoring/sftp-keys"
  tell_as_before 'its SFTP keys'
}

cron_as_before() {
  local from
  from=$(former_name)
  [[ -z $(read_crontab "$name") ]] || { echo 'the new site has cron jobs already'; return 1; }
  confine_crontab "$name"
  sed "s/\b${from:-$name}\b/$name/g" "$restoring/crontab" | change_crontab "$name" -
  run_site_cron "$name"
  tell_as_before 'its cron jobs'
}

# said_as_before: for the last line.
said_as_before() {
  local as='' otherwise=''
  [[ ! -s $job_home/as-before ]] || as=" As before: $(paste -sd ';' "$job_home/as-before" | sed 's/;/; /g')."
  [[ ! -s $job_home/otherwise ]] || otherwise=" Not as before: $(paste -sd ';' "$job_home/otherwise" | sed 's/;/; /g; s/\.$//')."
  ! is_created_again || otherwise+=' The password for uploads is the one of the new site.'
  echo "$otherwise$as"
}
