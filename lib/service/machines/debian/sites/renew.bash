# Renews the certificates of the sites that have SSL: those that are not fresh, and those that lack a name which
# can be reached by now. A name that fails is left out and noted; the others renew.
source sites/apache.bash
source sites/certificate.bash
source sites/mail.bash
source sites/orders.bash
source sites/site.bash
source sites/vhost.bash

umask 022
shopt -s nullglob

needs_renewal() {
  [[ ! -e $certificate_notes/unserved ]] || return 0
  is_fresh || return 0
  # What an earlier attempt left out may be reachable now.
  [[ -n $(lacking_names) ]]
}

# renew FILE: orders and serves. The site's domain has to be covered; nothing that a fresh certificate covers is given up for a name that is new.
renew() {
  local names
  if [[ ! -e $certificate_notes/unserved ]] || ! is_fresh; then
    mapfile -t names < <(served_names)
    choose_names "$1" "$(cat "$certificates_home/expected")" "${names[@]}"
    if is_fresh; then
      drop_refused "$1"
      ! gives_up_a_name "$1" || return 0
    fi
    is_in "${names[0]}" "$1" || { reason_for "${names[0]}" "$1.left-out"; return 3; }
    get_certificate "$1" "${names[@]}"
  fi
  [[ ! -e $certificate_notes/unserved ]] || serve_renewed "$1.former"
}

# What an authority refused is tried again after a week: each attempt is another certificate for the same names.
drop_refused() {
  grep -vxFf <(failed_orders | cut -d' ' -f2) "$1" >"$1.new" || true
  mv "$1.new" "$1"
}

gives_up_a_name() { [[ -n $(comm -12 <(served_names | sort) <(covered_names | sort) | comm -13 <(sort "$1") -) ]]; }

# A virtual host that was edited by hand stays as it is: the certificate has the same path.
# serve_renewed FILE: keeps the former virtual host in FILE meanwhile.
serve_renewed() {
  if is_vhost_unedited; then
    domain=$(served_names | sed -n 1p) aliases=$(served_names | sed 1d | paste -sd ' ') ssl=yes
    cp -- "$vhost" "$1"
    write_vhost
    reload_apache || { put_vhost "$1"; return 1; }
  else
    reload_apache
  fi
  rm -f "$certificate_notes/unserved"
}

# renew_site FOLDER: what happens in one site ends no other.
renew_site() {
  local said code
  said=$(
    set -euo pipefail
    renew "$1/names" 2>&1
  )
  code=$?
  echo "$name: $said"
  if ((code == 0)); then
    rm -f "$certificate_notes/failure"
  # A certificate that only lacks a name has not failed.
  elif ! is_fresh || [[ -e $certificate_notes/unserved ]]; then
    note_failure "$(tail -n 1 <<<"$said")"
  fi
}

main() {
  local record folder
  local site_id name domain aliases home settings logs proofs vhost php_socket files_socket served_folder held_requests www_redirect hsts live_name certificate certificate_notes ssl
  local mail_settings addresses dkim_key
  folder=$(mktemp -d) || exit 1
  for record in "$sites_home"/*/site; do
    # Gatehouse deletes the folder when its server is deleted; certificates renew all the same.
    install -d -m 700 "${sites_lock%/*}"
    # Work on sites waits only while one of them is renewed.
    exec 8>"$sites_lock"
    flock -w 3600 8 || exit 1
    name_site '' "$(basename "${record%/site}")" '' ''
    name_certificate
    if ! is_interrupted && has_ssl && needs_renewal; then
      renew_site "$folder"
      # Postfix has a copy of the certificate.
      (set -e; refresh_mail)
    fi
    exec 8>&-
  done
  rm -rf "$folder"
}

main
