# Serves the site by exactly the names it is given. later: whether the certificate waits for further names. The rest: what orders need.
source sites/certificate.bash
source sites/check-change.bash
source sites/run.bash
source sites/senders.bash
source sites/site.bash
source sites/ssl.bash
source sites/web.bash

job_names() {
  local later directory roots contact expected refused
  read_values "$@"
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_ssl && ssl=yes
  take 5 'Check the server' check_names
  take 20 'Web server' change_names
  pass_return
  keep_change saved
  if [[ $ssl == yes && $later == no ]]; then follow_names; fi
  progress=100
  end 'done' "The names of $domain are saved.$([[ $later == yes ]] || tell_left_out)"
}

change_names() {
  change_web
  refresh_senders
}

# The names are saved whatever happens to the certificate.
follow_names() {
  write_authority
  attempt 40 'Check the names' choose_ssl_names
  ((code != 0)) || attempt 55 'Certificate' get_ssl_certificate
  ((code != 0)) || attempt 85 'Web server' serve_ssl
  ((code == 0)) || keep_former_certificate "${complaint:-$last}"
}

# keep_former_certificate WHY
keep_former_certificate() {
  restore_kept_web
  progress=100
  if [[ -e $certificate_notes/unserved ]]; then
    end 'done' "The names of $domain are saved and its certificate is renewed, but not all names are redirected to https yet: $1 It is tried again twice a day."
  fi
  end 'done' "The names of $domain are saved, but its certificate is still the former one: $1 It is tried again twice a day."
}

# undo_names WHY: names that are saved stay.
undo_names() {
  if [[ ! -e $job_home/saved ]]; then
    restore_kept_web
    take_back refresh_senders
  elif [[ ! -e $job_home/served ]] && has_ssl; then
    keep_former_certificate "$1"
  else
    progress=100
    end 'done' "The names of $domain are saved.$(tell_left_out)"
  fi
}

tell_left_out() {
  local lacking
  has_ssl || return 0
  lacking=$(lacking_names | paste -sd ' ')
  [[ -z $lacking ]] || echo " The certificate leaves out ${lacking// /, }."
}
