# The last backup of a deleted site, restored into a new one with the same domain or another. A failure removes the new site.
source sites/as-before.bash
source sites/backup-files.bash
source sites/check-data.bash
source sites/check.bash
source sites/jobs/pull.bash
source sites/logins.bash
source sites/manifest.bash
source sites/refuse.bash
source sites/restore.bash
source sites/run.bash
source sites/scratch.bash
source sites/site.bash
source sites/staging/copy.bash
source sites/staging/copying.bash
source sites/staging/transfer.bash
source sites/swap-database.bash
source steps/tell.bash

# name_former: sets former_domain, by the name of the backup.
name_former() {
  former_domain=$(sed -E 's/-[0-9]{8}-[0-9]{6}-delete\.tar\.[a-z]+$//' <<<"$wanted")
  name_restore
}

has_other_domain() { [[ $former_domain != "$domain" ]]; }

check_last_backup() {
  is_last_backup "$wanted" || refuse "There is no last backup $wanted on this server any longer. Nothing was changed."
  require_database
  restore_part check
}

restore_last_backup() {
  stoppable=yes take 76 'Unpack' unpack_backup
  read_manifest "$backups_home/$wanted" "${wanted##*.}"
  called=$(former_name)
  stoppable=yes take 78 'Load the database' restore_part load
  if has_other_domain; then take_other_domain; fi
  if [[ -n $called ]]; then stoppable=yes take 80 'Configuration' adapt_configuration; fi
  take 82 'Check' check_revival
  pass_return
  php_before_exchange
  take 85 'Replace the site' replace_site
  # What is served now is what the next steps write again.
  name_site "$site_id" "$name" "$domain" "$aliases"
  take 88 'Check' check_front
  keep_replaced
  restore_settings
}

# Its addresses become those of the other domain. The certificate comes first, because they say whether it is asked by https.
take_other_domain() {
  former_names="$former_domain $(then_of aliases)"
  say running "$(tell_otherwise "the domain, which was $former_domain")"
  if [[ -n $(then_of aliases) ]]; then
    say running "$(tell_otherwise 'its aliases, which were names beside the former domain')"
    sed -i '/^aliases /d' "$job_home/then"
  fi
  if [[ $(then_of ssl) == yes ]]; then ssl_as_before; fi
  if [[ -n $called ]]; then take 79 'Addresses' rewrite_loaded; fi
}

# What is said of the new site before is of no use, so only what its app finds there counts.
check_revival() {
  restore_part compare
  : >"$job_home/front"
  : >"$job_home/login"
}

# rewrite_loaded: in the tables that are not live yet.
rewrite_loaded() {
  local scratch password to_name=$name
  scratch=$(scratch_database)
  password=$(random_password)
  put_staging_programs
  sql <<<"ALTER USER \`$scratch\`@localhost IDENTIFIED BY '$password'"
  rewriting tables "$former_names" "$(origin)" "$called" "$name" "$(mariadb_socket)" "$scratch" "$password"
  report_rewritten "$former_domain"
}

# The site that it replaces was empty.
forget_empty_site() {
  tidy_restore
  sql_seconds=600 sql <<<"DROP DATABASE IF EXISTS \`$(kept_database)\`"
  rm -rf --one-file-system -- "$replaced"
}

end_revival() {
  local left='' password=''
  [[ ! -e $job_home/hash ]] || password=' The password of its database is the one of the backup again.'
  take_back forget_empty_site
  progress=100
  end 'done' "$domain is restored from the last backup of a deleted site.$password${left:+ $untidy}$(said_as_before)" '' $'\t'"$(added_aliases)"
}

# drop_revival: what removing a site does not know of.
drop_revival() {
  stop_unit "$transfer_unit"
  release_user
  drop_scratch
}
