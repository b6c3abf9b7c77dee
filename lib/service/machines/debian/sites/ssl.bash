# Switching SSL of a site on and off, and a certificate that follows its names.
source sites/apache.bash
source sites/certificate.bash
source sites/mail.bash
source sites/orders.bash
source sites/other-names.bash
source sites/put-renewal.bash
source sites/reach.bash
source sites/refuse.bash
source sites/site.bash
source sites/vhost.bash
source sites/web.bash
source steps/apt.bash

certbot_program=certbot

install_certbot() {
  update_lists
  apt_get install "$certbot_program"
}

# Where certificates come from, and how this server is reached: renewals need both.
write_authority() {
  install -d -m 700 "$certificates_home"
  printf '%s\n' "${directory:?}" | write_file "$certificates_home/directory" 600
  printf '%s' "$contact" | write_file "$certificates_home/contact" 600
  printf '%s' "$roots" | write_file "$certificates_home/roots.pem" 600
  printf '%s\n' "$expected" | write_file "$certificates_home/expected" 600
}

# refused: lines of a name, a tab and why no certificate may be issued for it, as CAA records say. Only the service can ask for these.
choose_ssl_names() {
  write_proof
  printf '%s' "$refused" >"$job_home/names.refused"
  # shellcheck disable=SC2086 # Names, one a word.
  choose_names "$job_home/names" "$expected" "$domain" $aliases
  is_in "$domain" "$job_home/names" || refuse "$(reason_for "$domain" "$job_home/names.left-out")"
}

get_ssl_certificate() {
  # shellcheck disable=SC2086 # Names, one a word.
  get_certificate "$job_home/names" "$domain" $aliases
  rm -f "$certificate_notes/failure"
}

serve_ssl() {
  local module
  put_renewal
  for module in ssl rewrite; do
    [[ -e /etc/apache2/mods-enabled/$module.load ]] || a2enmod -q "$module" >/dev/null
  done
  answer_other_names 443
  keep_web
  ssl=yes
  write_vhost
  reload_apache
  prove_names
  prove_ssl
  keep_change served
  rm -f "$certificate_notes/unserved"
  refresh_mail
}

stop_ssl() {
  keep_web
  ssl=''
  write_vhost
  reload_apache
  prove_names
  keep_change served
  refresh_mail
}

# Another virtual host may be bound to the address and hide this one.
prove_ssl() {
  local each address expected until
  expected=$(openssl x509 -in "$certificate" -noout -fingerprint -sha256)
  address=$(apache_addresses | head -n 1)
  # A certificate of a backup may cover a name that is another site's now.
  for each in $(comm -12 <(covered_names | sort) <(served_names | sort)); do
    until=$((SECONDS + 20))
    while ((SECONDS < until)); do
      [[ $(served_fingerprint "$address" "$each") != "$expected" ]] || continue 2
      sleep 0.1
    done
    echo "Apache does not answer for $each with the certificate of the site. Another virtual host may be bound to the server’s address, or Apache does not listen on port 443."
    return 1
  done
}

served_fingerprint() {
  timeout 5 openssl s_client -connect "$1:443" -servername "$2" </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256 2>/dev/null || true
}
