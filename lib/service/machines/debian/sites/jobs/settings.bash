# Changes the version of PHP, its limits, the folder that is served, and how its names are. new_upload, new_memory: in MB. new_folder: below `public`, empty
# for `public` itself. new_workers, new_waiting: how many requests are worked on, and how many wait. new_www: whether the name with www leads to the domain,
# `yes` or `no`. new_hsts: for how many seconds browsers insist on https. new_mail: how many mails are sent in an hour. The last five stay as they are if
# they are empty.
source sites/certificate.bash
source sites/mail-limits.bash
source sites/php-settings.bash
source sites/run.bash
source sites/settings.bash
source sites/site.bash
source sites/web.bash

job_settings() {
  local new_php new_upload new_memory new_folder new_workers new_waiting new_www new_hsts new_mail upload memory workers waiting
  read_values "$@"
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_ssl && ssl=yes
  php=$(site_php)
  read_php_settings
  new_workers=${new_workers:-$workers} new_waiting=${new_waiting:-$waiting}
  [[ -n $new_www ]] || new_www=${www_redirect:-no}
  [[ -n $new_hsts ]] || new_hsts=${hsts:-0}
  take 5 'Check the server' check_settings
  if changes_php; then
    has_php_client || take 15 'Program that asks PHP' install_php_client
    take 25 'PHP' change_php
  fi
  if changes_vhost; then take 65 'Web server' change_vhost; fi
  if [[ -n $new_mail && $new_mail != "$(hourly_mail)" ]]; then take 85 'Mail' change_hourly_mail; fi
  # From here on there is nothing to take back.
  pass_return
  : >"$job_home/settled"
  sync "$job_home"
  end_settings
}

end_settings() {
  progress=100
  end 'done' "The settings of $domain are saved."
}

undo_settings() {
  [[ ! -e $job_home/settled ]] || end_settings
  [[ ! -s $job_home/hourly-mail ]] || take_back restore_hourly_mail 'Save the settings again.'
  restore_kept_web
  [[ ! -e $job_home/former ]] || take_back restore_php 'Save the settings again.'
  rm -f "$(php_proof)"
}
