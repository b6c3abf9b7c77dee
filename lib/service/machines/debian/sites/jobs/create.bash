# Creates the site. password: for SFTP. database_password: of its database user. owner: the account that it belongs to. www: `yes` if its name with
# www leads to the domain. To restore the last backup of a deleted site into it, wanted: its name; taken: names that other sites of the account have; and
# what orders of certificates need.
source host/python.bash
source host/whole.bash
source sites/as-before.bash
source sites/check.bash
source sites/database.bash
source sites/file-server.bash
source sites/files.bash
source sites/guesses.bash
source sites/mail-limits.bash
source sites/php-settings.bash
source sites/php.bash
source sites/remove.bash
source sites/restore.bash
source sites/revive.bash
source sites/run.bash
source sites/senders.bash
source sites/web.bash
source steps/web.bash

job_create() {
  local password database_password owner www wanted='' taken='' directory='' roots='' contact='' expected='' refused=''
  local archive_manifest='' restoring replacing replaced former_domain='' former_names='' called=''
  read_values "$@"
  site_owner=$owner
  www_redirect=${www/no/}
  php=$(php_version)
  if [[ -n $wanted ]]; then
    name_former
    has_python || take 1 'Python' install_python
    take 1 'Check the backup' check_last_backup
  fi
  take 2 'Check the server' check_create
  if ! has_php "$php"; then php=$(php_versions | tail -n 1); fi
  if [[ -z $php ]]; then
    take 5 'PHP packages' install_php
    php=$(php_versions | tail -n 1)
  fi
  if [[ ! -x /usr/sbin/nginx ]]; then take 12 'Program that reads files' install_file_server; fi
  if needs_guard; then take 13 'Guesses of passwords' guard_logins; fi
  take 15 'User and folders' create_files
  take 35 'PHP' begin_programs
  take 55 'Database' create_database
  take 75 'Web server' create_served
  if [[ -n $wanted ]]; then
    restore_last_backup
    end_revival
  fi
  pass_return
  : >"$job_home/created"
  sync "$job_home"
  end_create
}

create_served() {
  create_web
  limit_mail
  refresh_senders
}

end_create() {
  progress=100
  end 'done' "$domain is ready."
}

undo_create() {
  local restoring replacing replaced wanted=''
  name_restore
  # Its last line may be lost, and the site in use.
  [[ ! -e $job_home/created ]] || end_create
  if [[ -e $job_home/restored ]]; then
    # A change of the virtual host or of email that was not ended.
    restore_kept_web
    restore_former_email
    end_revival
  fi
  [[ -e $job_home/begun ]] || return 0
  if [[ -e $job_home/unpacked-bytes ]]; then take_back drop_revival; fi
  take_back remove_beginnings 'Delete the site to remove the rest.'
}
