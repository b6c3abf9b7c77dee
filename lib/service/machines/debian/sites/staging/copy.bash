# The staging copy of a site: a site of its own, whose record names the live one. What differs from other sites follows from that line.
staging_programs=/usr/local/lib/gatehouse
staging_user=staging

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

on_copy() { (for_site "$copy_id" "$copy_name" "$copy_domain" "$name" "$@"); }

live_has_ssl() { grep -q '^  SSLEngine on' "/etc/apache2/sites-available/zz-gatehouse-$live_name.conf" 2>/dev/null; }

# What of a staging copy's virtual host is not like that of other sites. The names of a certificate are proven without a password.
# content_staging PORT
content_staging() {
  cat <<END
  # A staging copy is for those who know its password, and for no search engine.
  <IfModule mod_headers.c>
    Header always set X-Robots-Tag "noindex, nofollow, noarchive"
  </IfModule>
  # Debian's settings of PHP pass the password on to programs, which would take it for one of their own.
  <IfModule mod_setenvif.c>
    SetEnvIf Authorization . !HTTP_AUTHORIZATION
  </IfModule>
  <LocationMatch "^/(?!\.well-known/(acme-challenge|gatehouse)/)">
    AuthMerging And
END
  # A password that is asked for over http while the live site has SSL could be read on the way.
  if [[ $1 == 80 && ($ssl == yes || -n $(live_has_ssl && echo yes)) ]]; then
    echo '    Require all denied'
    echo '    ErrorDocument 403 "This staging copy answers over https only, and has no certificate yet: pull it again."'
  else
    cat <<END
    AuthType Basic
    AuthName "Staging copy"
    AuthBasicProvider file
    AuthUserFile $(password_file)
    Require valid-user
END
  fi
  cat <<END
  </LocationMatch>
  <LocationMatch "/wp-cron\.php$">
    Require all denied
  </LocationMatch>
END
}

# Apache reads the password as its own user at each request; users of sites may not.
passwords_home=$sites_home/.passwords
password_file() { echo "$passwords_home/$name"; }

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

# What PHP of a staging copy has beside that of other sites: mail stays in a folder, scheduled work waits, and apps are told what they are.
content_staging_php() {
  cat <<END
; A staging copy does not act as the live site.
env[WP_ENVIRONMENT_TYPE] = staging
php_admin_value[auto_prepend_file] = $staging_programs/staging.php
php_admin_value[sendmail_path] = "/bin/sh -c 'cat >\$(mktemp --suffix=.eml -p $home/private/mail)' mail"
END
}

content_prepended() {
  cat <<'END'
<?php
// Put here by Gatehouse. Runs before each program of a staging copy.
defined('WP_ENVIRONMENT_TYPE') || define('WP_ENVIRONMENT_TYPE', 'staging');
defined('DISABLE_WP_CRON') || define('DISABLE_WP_CRON', true);
END
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
