# Email of sites. One file per site holds its addresses. What Postfix, Dovecot and OpenDKIM read is built from the files of all sites whose
# email is on, as plain text that root replaces at one moment. It works without Gatehouse.
source sites/certificate.bash
source sites/site.bash

mail_home=/etc/gatehouse/mail
# There while Postfix is open to the network. The install looks for it too.
mail_open=$mail_home/open
dkim_selector=gatehouse

# Of one site, after name_site. addresses: a line per address, by tabs: what is before the @, where it forwards to, and the hash of its password
# or nothing. They and the key stay while email is off.
name_mail() {
  mail_settings=$settings/mail
  mail_on=$mail_settings/on
  addresses=$mail_settings/addresses
  dkim_key=$mail_settings/dkim.pem
}

site_domain() { sed -n 's/^domain //p' "$settings/site"; }

# name_recorded NAME: all names of a site that is here.
name_recorded() {
  name_site '' "$1" '' ''
  domain=$(site_domain)
  name_certificate
  name_mail
}

some_mail_is_on() { compgen -G "$sites_home/*/mail/on" >/dev/null; }

# for_mail_sites FUNCTION: once for each site whose email is on.
for_mail_sites() {
  local each
  for each in "$sites_home"/*/mail/on; do
    [[ -e $each ]] || continue
    each=${each%/mail/on}
    (name_recorded "${each##*/}" && "$1")
  done
}

read_addresses() { cat "$addresses" 2>/dev/null || true; }

# Domains that Postfix delivers to this server's own users, such as its hostname.
local_domains() { postconf -xh mydestination | tr ', \t' '\n' | tr '[:upper:]' '[:lower:]' | sed '/^$/d'; }
is_local_domain() { local_domains | grep -xF -- "$1" >/dev/null; }

# The hostname may be the domain of a site. Postfix then knows it already, and its users get their own mail, but none from outside.
list_domains() { is_local_domain "$domain" || printf '%s\tsite\n' "$domain"; }

# Somebody has to read what is sent to postmaster: root of this server, unless the site has such an address.
list_aliases() {
  read_addresses | awk -F '\t' -v domain="$domain" '
    { print $1 "@" domain "\t" $2 }
    $1 == "postmaster" { own = 1 }
    END { if (!own) print "postmaster@" domain "\tpostmaster@localhost" }'
}

list_recipients() { list_aliases | sed 's/\t.*/\tOK/'; }

# Passwords travel only under the certificate of the site, so without SSL there are no logins.
site_logins() { ! has_ssl || read_addresses | awk -F '\t' -v domain="$domain" '$3 != "" { print $1 "@" domain "\t" $3 }'; }
list_senders() { site_logins | awk -F '\t' '{ print $1 "\t" $1 }'; }
list_logins() { site_logins | sed 's/\t/:/'; }

mail_chain() { echo "$mail_home/tls/$name.pem"; }
list_sni() {
  local each
  has_ssl || return 0
  for each in $(covered_names); do printf '%s\t%s\n' "$each" "$(mail_chain)"; done
}

# Postfix wants the key first, in a file of its own.
write_chain() {
  has_ssl || return 0
  { openssl pkey -in "$certificate"; sed -n '/-----BEGIN CERTIFICATE-----/,/-----END CERTIFICATE-----/p' "$certificate"; } | write_file "$(mail_chain)" 600
}

signing_key() { echo "$mail_home/dkim/$name.pem"; }
list_signing_keys() { printf '%s\t%s:%s:%s\n' "$name" "$domain" "$dkim_selector" "$(signing_key)"; }
list_signed() { printf '*@%s\t%s\n' "$domain" "$name"; }
write_signing_key() {
  write_file "$(signing_key)" 600 <"$dkim_key"
  chown opendkim: "$(signing_key)"
}

# Senders at these are not rewritten when their mail is forwarded.
list_own_domains() { { for_mail_sites show_domain; local_domains; } | sort -u; }
show_domain() { echo "$domain"; }

write_mail_maps() {
  local each
  install -d -m 755 "$mail_home"
  install -d -m 700 "$mail_home/tls"
  install -d -m 700 -o opendkim "$mail_home/dkim"
  for_mail_sites write_chain
  for_mail_sites write_signing_key
  for each in domains aliases recipients senders sni; do
    for_mail_sites "list_$each" | write_file "$mail_home/$each" 600
  done
  for_mail_sites list_logins | write_file "$mail_home/logins" 640
  chgrp dovecot "$mail_home/logins"
  for each in signing_keys signed; do
    for_mail_sites "list_$each" | write_file "$mail_home/$each" 600
    chown opendkim: "$mail_home/$each"
  done
  for each in "$mail_home"/{tls,dkim}/*.pem; do
    [[ ! -e $each || -e $sites_home/$(basename "$each" .pem)/mail/on ]] || rm -f -- "$each"
  done
}

# Mail that is being received or sent goes on. SIGHUP does not make all releases of PostSRSd read their domains again.
reload_mail() {
  postfix reload 2>/dev/null
  systemctl reload-or-restart gatehouse-mail-signing
  if write_srs_settings; then systemctl restart gatehouse-mail-senders; fi
}

# After a change of addresses, certificates or names.
refresh_mail() {
  [[ -e $mail_open ]] && command -v postfix >/dev/null || return 0
  write_mail_maps
  reload_mail
}

# PostSRSd rewrites senders of mail that is forwarded, because their domains do not allow this server to send it. Its first release takes
# options, the second a file. Each function below is for both.
srs_is_first() { [[ $(dpkg-query -W -f='${Version}' postsrsd) =~ ^([0-9]+:)?1\. ]]; }
mail_hostname() { postconf -xh myhostname | tr '[:upper:]' '[:lower:]'; }

content_srs_settings() {
  if srs_is_first; then
    printf 'SRS_DOMAIN=%s\nSRS_EXCLUDE=%s\n' "$(mail_hostname)" "$(list_own_domains | paste -sd ,)"
  else
    printf '%s = "%s"\n' srs-domain "$(mail_hostname)" domains-file "$mail_home/srs-domains" socketmap unix:/var/spool/postfix/gatehouse-srs \
      secrets-file "$mail_home/srs.secret" unprivileged-user gatehouse-mail chroot-dir /var/lib/gatehouse-mail/empty
  fi
}

# Bounces come back to addresses of this form at the hostname; PostSRSd refuses those that it did not make.
content_srs_recipients() { printf '/^srs[01][=+-].*@%s$/ OK\n' "$(mail_hostname | sed 's/[.]/\\./g')"; }

# write_srs_settings: true if they changed.
write_srs_settings() {
  local changed=1
  if write_if_new "$mail_home/srs.conf" 600 content_srs_settings; then changed=0; fi
  if write_if_new "$mail_home/srs-domains" 600 list_own_domains; then changed=0; fi
  if write_if_new "$mail_home/srs-recipients" 600 content_srs_recipients; then changed=0; fi
  return "$changed"
}
