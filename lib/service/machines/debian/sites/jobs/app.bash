# Installs an app. Values: its name and title; `packages` or `archive`, the package or the archive's address, patterns for the packages that come
# with it or the archive's hash, and how many leading folders of the archive are left out; what is copied, left out and relocated; the modules of PHP
# it needs, and whether it needs the database; the program that installs it, its directives of Apache, its page for signing in; its administrator and
# the administrator's password, and the password of the database.
job_app() {
  local app=$1 title=$2 source=$3 origin=$4 parts=$5 strip=$6 folders=$7 left_out=$8 relocated=$9
  local modules=${10} with_database=${11} steps=${12} directives=${13} login=${14} admin=${15} admin_password=${16} database_password=${17}
  local app_home app_directives
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_ssl && ssl=yes
  php=$(site_php)
  name_app
  # What the last line says is known after a boot too.
  printf '%s\n' "$title" "$login" "$(site_address)" >"$job_home/app"
  sync "$job_home/app"
  take 2 'Check the server' check_app
  stoppable=yes take 8 'Download' fetch_app
  stoppable=yes take 40 'Files' prepare_app
  stoppable=yes take 60 'Install' install_app
  pass_return
  take 90 'Web server' publish_app
  end_app
}

# Its answer: the address at which its administrator signs in.
end_app() {
  local said
  mapfile -t said <"$job_home/app"
  remove_preparation
  progress=100
  end 'done' "${said[0]} is installed on $domain." '' "${said[2]}${said[1]}"
}

give_uploads_back() { exchange "$app_home/public" "$home/public"; }

undo_app() {
  local app_home app_directives
  name_app
  stop_unit "$app_unit"
  if is_published; then
    has_uploads || end_app
    take_back give_uploads_back "The files that were uploaded meanwhile are in the folder $app_home/public."
  fi
  [[ ! -e $job_home/directives ]] || take_back take_directives_back 'Apache may still have the directives of the app.'
  [[ ! -e $job_home/database ]] || take_back give_database_back 'The database of the site may still have tables of the app: delete them, then try again.'
  is_published || remove_preparation
}
