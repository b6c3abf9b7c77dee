# What answers for names that no virtual host has: without these, the first site would, also with its certificate. Only where Gatehouse
# installed Apache and nobody else decides it.
source sites/apache.bash
source sites/certificate.bash
source sites/site.bash
source steps/manifest.bash

content_other_names() {
  cat <<END
# Put here by Gatehouse: answers for names that no site has.
<VirtualHost *:$1>
  ServerName gatehouse.invalid
$(if [[ $1 == 443 ]]; then content_nobodys_certificate; fi)
  Redirect 404 /
</VirtualHost>
END
}

content_nobodys_certificate() {
  cat <<END
  SSLEngine on
  SSLCertificateFile $certificates_home/nobody.pem
  SSLCertificateKeyFile $certificates_home/nobody.key
END
}

# Self-signed, for a name that nobody has.
make_nobodys_certificate() {
  [[ ! -s $certificates_home/nobody.pem ]] || return 0
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 7300 -subj /CN=gatehouse.invalid \
    -keyout "$certificates_home/nobody.key" -out "$certificates_home/nobody.new" 2>/dev/null
  sync "$certificates_home"/nobody.*
  mv -T "$certificates_home/nobody.new" "$certificates_home/nobody.pem"
}

# Whether Debian's own page is the first for port 80, as it was installed.
has_debians_page() {
  local wanted
  wanted=$(dpkg-query -W -f='${Conffiles}\n' apache2 | awk '$1 == "/etc/apache2/sites-available/000-default.conf" { print $2 }')
  [[ -e /etc/apache2/sites-enabled/000-default.conf && $(md5sum </etc/apache2/sites-available/000-default.conf) == "$wanted  -" ]] &&
    cmp -s /usr/share/apache2/default-site/index.html /var/www/html/index.html
}

# serves_no_other PORT: whether all virtual hosts of the port are Gatehouse's.
serves_no_other() {
  local others
  others=$(apache2ctl -t -D DUMP_VHOSTS 2>/dev/null | grep -E "(:|^ +port )($1|\*) .*\(/" | grep -v gatehouse) || true
  [[ -z $others ]]
}

# answer_other_names PORT
answer_other_names() {
  local file=00-gatehouse-other-names-$1.conf
  [[ $(part_state web) == ours && ! -e /etc/apache2/sites-enabled/$file ]] || return 0
  if [[ $1 == 80 ]]; then
    has_debians_page || serves_no_other 80 || return 0
  else
    serves_no_other 443 || return 0
    install -d -m 700 "$certificates_home"
    make_nobodys_certificate
  fi
  content_other_names "$1" | write_file "/etc/apache2/sites-available/$file" 644
  ln -sfn "../sites-available/$file" "/etc/apache2/sites-enabled/$file"
  [[ -z $(apache_complaint) ]] || rm -f "/etc/apache2/sites-enabled/$file" "/etc/apache2/sites-available/$file"
}
