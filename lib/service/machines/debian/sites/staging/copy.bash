# The staging copy of a site: a site of its own, whose record names the live one. What differs from other sites follows from that line.
source sites/apache.bash
source sites/certificate.bash
source sites/mail.bash
source sites/remove.bash
source sites/site.bash
source sites/staging/content.bash
source sites/vhost.bash
source sites/web.bash

# copy_of: the name of the staging copy of the present site; nothing if there is none.
copy_of() {
  local record
  record=$(grep -lxF -- "staging-of $name" "$sites_home"/*/site 2>/dev/null | head -n 1) || true
  [[ -z $record ]] || basename "${record%/site}"
}

record_line() { sed -n "s/^$1 //p" "$sites_home/$2/site" 2>/dev/null; }

# for_site ID NAME DOMAIN LIVE FUNCTION...: runs the function for another site than that of the job, in a subshell that ends with it.
for_site() {
  local at=$served_folder
  name_site "$1" "$2" "$3" ''
  name_certificate
  name_mail
  if [[ -e $vhost ]]; then aliases=$(served_names | sed 1d | paste -sd ' '); else served_folder=$at; fi
  live_name=$4 ssl=''
  ! has_ssl || ssl=yes
  php=$(site_php 2>/dev/null) || true
  "${@:5}"
}

on_copy() { (for_site "${copy_id:?}" "${copy_name:?}" "${copy_domain:?}" "$name" "$@"); }

# What is kept of a password until it is valid is what Apache gets, and not the password.
hash_browser_password() {
  [[ -z $browser_password ]] || printf '%s\n' "$browser_password" | htpasswd -inB "$staging_user" 2>/dev/null | grep . >"$job_home/password"
}

write_password() {
  [[ -s $job_home/password ]] || return 0
  install -d -m 710 -o root -g www-data "$passwords_home"
  write_file "$(password_file)" 640 <"$job_home/password"
  chgrp www-data "$(password_file)"
}

put_staging_programs() {
  install -d -m 755 "$staging_programs"
  write_if_new "$staging_programs/staging.php" 644 content_prepended || true
  write_if_new "$staging_programs/rewrite.php" 644 content_rewriting || true
}

# After SSL of the live site was switched, its copy asks for its password otherwise. A copy that was edited by hand stays as it is.
follow_live() {
  local each live=$name
  each=$(copy_of)
  [[ -n $each ]] || return 0
  (for_site "$(record_line id "$each")" "$each" "$(record_line domain "$each")" "$live" rewrite_copy_web)
}

rewrite_copy_web() {
  is_vhost_unedited || { echo "$vhost was edited by hand and is not overwritten."; return 0; }
  keep_web
  write_vhost
  if reload_apache; then
    # Nothing goes back to the former one.
    rm -f "$job_home/virtual-host"
    return
  fi
  put_vhost "$job_home/virtual-host"
  return 1
}

# Deleted with its live site.
remove_copy() {
  local each
  each=$(copy_of)
  [[ -n $each ]] || return 0
  (for_site "$(record_line id "$each")" "$each" "$(record_line domain "$each")" "$name" remove_site)
  echo "The staging copy $each is deleted."
}
