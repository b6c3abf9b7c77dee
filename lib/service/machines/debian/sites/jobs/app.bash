# Installs an app. title: its name for people. source: `packages` or `archive`. origin: the package, or the archive's address. patterns: for the
# packages that come with it. sha256: of the archive, of which strip leading folders are left out. folders, left_out, relocated: what is copied, left
# out and relocated. modules: of PHP, which it needs. built_in: its name, if the package has the program that installs it; else steps: that program. login: its page for signing in. admin: its administrator.
source sites/apps.bash
source sites/certificate.bash
source sites/exchange.bash
source sites/jobs/pull.bash
source sites/run.bash
source sites/site.bash

job_app() {
  local title source origin patterns sha256 strip folders left_out relocated modules with_database built_in steps directives login admin admin_password database_password
  local app_home app_directives
  read_values "$@"
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
