# Switches SSL of the site. on: yes or no. The rest: what orders need.
source sites/certificate.bash
source sites/check-change.bash
source sites/jobs/names.bash
source sites/mail.bash
source sites/run.bash
source sites/site.bash
source sites/ssl.bash
source sites/staging/copy.bash
source sites/web.bash

job_ssl() {
  local on directory roots contact expected refused left=''
  read_values "$@"
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_ssl && ssl=yes
  take 2 'Check the server' check_change
  if [[ $on == yes ]]; then
    switch_on
  else
    pass_return
    take 50 'Web server' stop_ssl
    lead_copy
    end_ssl
  fi
}

end_ssl() {
  local behind=''
  progress=100
  [[ -z ${left-} ]] || behind=' Its email or its staging copy did not follow: see the lines above, and switch SSL once more.'
  if has_ssl; then end 'done' "SSL of $domain is on.$(tell_left_out)$behind"; fi
  end 'done' "SSL of $domain is off. Its certificate is kept.$behind"
}

switch_on() {
  take 4 'Check the server' check_ssl
  if ! command -v certbot >/dev/null; then take 5 'Certificate program' install_certbot; fi
  write_authority
  take 35 'Check the names' choose_ssl_names
  take 50 'Certificate' get_ssl_certificate
  pass_return
  take 80 'Web server' serve_ssl
  lead_copy
  end_ssl
}

lead_copy() {
  [[ -n $(copy_of) ]] || return 0
  attempt 95 'Staging copy' follow_live
  ((code == 0)) || left=copy
}

# What is switched stays so, also if the job was killed before it could say it.
undo_ssl() {
  if [[ -e $job_home/served ]]; then
    take_back refresh_mail
    take_back follow_live
    end_ssl
  fi
  restore_kept_web
}
