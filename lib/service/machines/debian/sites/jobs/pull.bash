# Copies the live site to its staging copy, copy_…. files, database: whether these. tables: in hexadecimal, none for all. is_new: whether the copy is made
# by this pull. browser_password: empty to keep the one that is there. The rest: what orders need. With neither files nor database, only the password is set.
source changes/room.bash
source host/python.bash
source host/whole.bash
source sites/app-login.bash
source sites/certificate.bash
source sites/check-data.bash
source sites/check.bash
source sites/database.bash
source sites/file-server.bash
source sites/files.bash
source sites/logins.bash
source sites/php-settings.bash
source sites/php.bash
source sites/refuse.bash
source sites/remove.bash
source sites/run.bash
source sites/site.bash
source sites/ssl.bash
source sites/staging/copy.bash
source sites/staging/copying.bash
source sites/staging/transfer.bash
source sites/web.bash

job_pull() {
  local copy_id copy_name copy_domain files database tables is_new browser_password directory roots contact expected refused
  read_values "$@"
  local from_name=$name to_name=$copy_name from_names="$domain $aliases" to_origin first=no replace=no chosen=$job_home/tables
  is_ours || give_up 'The site no longer exists on the server.' changed_meanwhile
  php=$(site_php)
  note_copy
  # What an earlier pull could not take back.
  if [[ $is_new == yes && -e $sites_home/$copy_name/site ]]; then take 1 'Delete' remove_begun_copy; fi
  [[ -e $sites_home/$copy_name/site ]] || first=yes
  take 2 'Check the server' check_pull
  if is_copying; then
    need_transfer_programs
    has_python || take 6 'Python' install_python
  fi
  if [[ $first == yes && ! -x /usr/sbin/nginx ]]; then take 7 'Program that reads files' install_file_server; fi
  if [[ $first == yes ]]; then make_copy; else take 10 'Web server' on_copy rewrite_copy_web; fi
  if has_ssl && ! on_copy has_ssl; then order_for_copy; fi
  to_origin=$(on_copy origin)
  if [[ $files == yes ]]; then
    stoppable=yes take 40 'Files' stage_files
    [[ -e $sites_home/$copy_name/own-files ]] || take 50 'Files' configure_copy
  fi
  if [[ $database == yes ]]; then
    stoppable=yes take 55 'Database' stage_tables
    stoppable=yes take 65 'Database' note_tables
    stoppable=yes take 75 'Addresses' rewrite_tables
    take 84 'Addresses' keep_origin
  fi
  if [[ $database == yes ]]; then stoppable=yes take 86 'Check' check_copied_tables; fi
  pass_return
  if is_copying; then
    take 88 'Exchange' swap_all
    take 94 'Check' check_pulled
  fi
  settle_transfer
  end_pull
}

check_pull() {
  local module
  require_web_server
  require_valid_configuration
  require_model
  require_database
  for module in auth_basic authn_file authz_user; do
    grep " ${module}_module " <<<"$hosts" >/dev/null || refuse "Apache’s module $module is not loaded here, and staging copies are protected by it. Run “a2enmod $module” and reload Apache, then try again. Nothing was changed."
  done
  if [[ $first == yes ]]; then
    has_php "$php" || refuse "PHP $php of the site is not installed any longer. Choose another version in its settings; nothing was changed."
    [[ -n $browser_password ]] || refuse 'The staging copy is no longer on the server. Set a new password for it, which makes it again, then pull. Nothing was changed.'
    on_copy check_new_copy
  else
    on_copy is_ours || refuse "The name $copy_name is taken on this server. Nothing was changed."
  fi
  [[ -x /usr/bin/php$(record_line php "$name") ]] || refuse 'The command-line program of the site’s PHP is missing. Install the package of its version, such as php8.4-cli, then try again; nothing was changed.'
  [[ $database == no ]] || check_tables
  ! is_copying || check_transfer_room
  require_room /etc /home /var/log /var/lib/gatehouse /var/lib/mysql
  hash_browser_password
}

check_new_copy() {
  require_other_virtual_host
  require_free_names
}

make_copy() {
  take 8 'User and folders' on_copy create_copy_files
  take 14 'PHP' on_copy begin_programs
  take 18 'Database' on_copy create_copy_database
  take 22 'Web server' on_copy create_web
}

# The passwords of its user and its database are shown to nobody.
create_copy_files() {
  local password
  password=$(random_password)
  # The programs of the live site are what runs here, so with its version.
  php=$(record_line php "$live_name")
  put_staging_programs
  create_files
  install -d -m 700 -o "$name" -g "$name" "$home/private/mail"
  write_password
  copy_directives
}

# An app may need further directives, such as those that keep its folders from browsers.
copy_directives() {
  local each
  install -d -m 755 "$settings/apache"
  for each in "$sites_home/$live_name/apache"/*.conf; do
    [[ ! -e $each || ${each##*/} == "$pause_name" ]] || sed "s/\b$live_name\b/$name/g" "$each" | write_file "$settings/apache/${each##*/}" 644
  done
}

create_copy_database() {
  local database_password
  database_password=$(random_password)
  create_database
}

# Where the live site has SSL, the copy asks for its password over https alone. Without a certificate it answers nobody, and the job continues.
order_for_copy() {
  write_authority
  attempt 26 'Check the names' on_copy choose_ssl_names
  ((code != 0)) || attempt 30 'Certificate' on_copy get_ssl_certificate
  ((code != 0)) || attempt 36 'Web server' on_copy serve_ssl
  ((code == 0)) || printf '%s' "${complaint:-$last}" >"$job_home/no-certificate"
  [[ $code == 0 || ! -e $job_home/virtual-host ]] || take_back restore_copy_web
}

restore_copy_web() { on_copy restore_web; }

origin() { if [[ $ssl == yes ]]; then echo "https://$domain"; else echo "http://$domain"; fi; }

# How live calls itself most often: what its addresses become again with a push.
keep_origin() {
  # Without tables, nothing was rewritten.
  [[ -e $job_home/rewritten ]] || return 0
  sed -n 's/^origin\t//p' "$job_home/rewritten" | head -n 1 >"$job_home/origin"
}

# Visitors of the copy need its password, so its first page is not asked for.
check_pulled() {
  local told
  told=$(try_login "$to_name" "/usr/bin/php$(record_line php "$to_name")" "$copy_domain" "/home/$to_name/public${served_folder:+/$served_folder}")
  if [[ $told == out* && $(login_of_live) == in* ]]; then refuse_login "$copy_domain" "$told"; fi
}

# May be repeated.
finish_pull() {
  local folder=$sites_home/$copy_name
  # First of all what the answer says.
  on_copy write_password
  put_staging_programs
  [[ ! -e $job_home/notes ]] || publish_notes
  publish_files_note
  [[ ! -s $job_home/origin ]] || write_file "$folder/origin" 600 <"$job_home/origin"
  [[ ! -e $job_home/own-files ]] || write_file "$folder/own-files" 600 <"$job_home/own-files"
  if is_copying; then write_file "$folder/pulled" 600 <"$job_home/settled"; fi
  drop_staged
}

end_pull() {
  local why left='' made="$copy_domain has a new password."
  take_back finish_pull
  progress=100
  why=$(cat "$job_home/no-certificate" 2>/dev/null)
  ! is_copying || made="$copy_domain is a copy of $domain now."
  end 'done' "$made${left:+ $untidy}${why:+ It answers nobody until it has a certificate: $why}" '' "$(on_copy origin)"
}

undo_pull() {
  local copy_id copy_name copy_domain from_name to_name files database replace chosen=$job_home/tables
  read_copy || return 0
  stop_unit "$transfer_unit"
  [[ ! -e $job_home/settled ]] || end_pull
  if [[ -e $job_home/begun ]]; then
    take_back drop_staged
    take_back remove_begun_copy 'Pull again: that removes the rest.'
  else
    undo_transfer
  fi
}

remove_begun_copy() { on_copy remove_beginnings; }
