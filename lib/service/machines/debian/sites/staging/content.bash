# What Apache and PHP read about a staging copy that they read about no other site.
source sites/site.bash

staging_programs=/usr/local/lib/gatehouse
staging_user=staging

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
  if [[ $1 == 80 && (${ssl-} == yes || -n $(live_has_ssl && echo yes)) ]]; then
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
