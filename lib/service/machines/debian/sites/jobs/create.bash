# Creates the site. Values: its password for SFTP, the password of its database user.
job_create() {
  local password=$1 database_password=$2
  php=$(php_version)
  take 2 'Check the server' check_create
  if ! has_php "$php"; then php=$(php_versions | tail -n 1); fi
  if [[ -z $php ]]; then
    take 5 'PHP packages' install_php
    php=$(php_versions | tail -n 1)
  fi
  if [[ ! -x /usr/sbin/nginx ]]; then take 12 'Program that reads files' install_file_server; fi
  take 15 'User and folders' create_files
  take 35 'PHP' create_php
  take 55 'Database' create_database
  take 75 'Web server' create_served
  : >"$job_home/created"
  sync "$job_home"
  end_create
}

create_served() {
  create_web
  refresh_senders
}

end_create() {
  progress=100
  end 'done' "$domain is ready."
}

undo_create() {
  # Its last line may be lost, and the site in use.
  [[ ! -e $job_home/created ]] || end_create
  [[ ! -e $job_home/begun ]] || take_back remove_beginnings 'Delete the site to remove the rest.'
}
