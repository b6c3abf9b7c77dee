# The virtual hosts of a site: one for http and, while SSL is on, one for https. Apache reads no .htaccess there:
# docs/decisions/039-htaccess.md
source sites/certificate.bash
source sites/file-server.bash
source sites/php-settings.bash
source sites/site.bash
source sites/staging/content.bash

content_vhost() {
  local held=${held_requests:-$(($(default_workers) + default_waiting))}
  echo "# Put here by Gatehouse. Directives of your own belong into $settings/apache/NAME.conf."
  content_virtual_host 80 "$(content_redirects 80)"
  if [[ $ssl == yes ]]; then content_virtual_host 443 "$(content_ssl)"; fi
  cat <<END
# A site whose PHP is busy holds only some of the threads that all sites share: in each process of Apache this many. Others get 503 at once.
<Proxy "unix:$php_socket|fcgi://$name">
  ProxySet max=$held acquire=1 retry=0
  # Debian's processes have 25 threads.
  <IfDefine !gatehouse_threads>
    ProxySet max=$((held < 10 ? held : 10))
  </IfDefine>
</Proxy>
END
  content_files_limits
}

# content_virtual_host PORT DIRECTIVES
content_virtual_host() {
  local root=$home/public${served_folder:+/$served_folder}
  cat <<END
<VirtualHost *:$1>
  ServerName $domain
END
  [[ -z $aliases ]] || echo "  ServerAlias $aliases"
  [[ -z $2 ]] || echo "$2"
  if [[ -n $live_name ]]; then content_staging "$1"; fi
  cat <<END
  DocumentRoot $root
  Alias /.well-known/gatehouse/ $proofs/
  Alias /.well-known/acme-challenge/ $proofs/.well-known/acme-challenge/
  # Debian lets every program of this server see the requests of all sites there.
  <Location "/server-status">
    Require all denied
  </Location>
  <Directory $proofs>
    AllowOverride None
    Require all granted
  </Directory>
  <IfModule mod_headers.c>
    Header always set Retry-After 10 "expr=%{REQUEST_STATUS} == 503 && -z %{resp:Retry-After}"
  </IfModule>
  ErrorLog $logs/error.log
  CustomLog $logs/access.log "%h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\""
  <Directory $home/public>
    Options SymLinksIfOwnerMatch
    AllowOverride None
    Require all granted
    CGIPassAuth $(passes_passwords)
    DirectoryIndex index.php index.html
$(content_fallback "$root")
    # The server may have its own handlers, which run PHP as Apache's user.
    <FilesMatch ".">
$(content_files_handler "$root")
    </FilesMatch>
    <FilesMatch "^\.(?!well-known$)|\.ph(ar|ps|tml)$">
      Require all denied
    </FilesMatch>
    <FilesMatch "\.php$">
      <If "-f %{REQUEST_FILENAME}">
        SetHandler "proxy:unix:$php_socket|fcgi://$name"
        ProxyErrorOverride Off
      </If>
    </FilesMatch>
  </Directory>
  <DirectoryMatch "^$home/public/(.*/)?\.(?!well-known(/|$))">
    Require all denied
  </DirectoryMatch>
  IncludeOptional $settings/apache/*.conf
</VirtualHost>
END
}

# Programs of a staging copy would take the password for browsers for one of their own.
passes_passwords() { if [[ -n $live_name ]]; then echo Off; else echo On; fi; }

content_ssl() {
  cat <<END
  SSLEngine on
  SSLProtocol -all +TLSv1.2 +TLSv1.3
  SSLCertificateFile $certificate
END
  [[ -z $hsts ]] || cat <<END
  <IfModule mod_headers.c>
    Header always set Strict-Transport-Security "max-age=$hsts"
  </IfModule>
END
  content_redirects 443
}

# content_redirects PORT: leads the name with www to the domain if that was chosen, and http to https for the names that the certificate covers.
# Addresses are passed on as they were sent.
content_redirects() {
  local covered scheme=http
  [[ $ssl != yes ]] || covered=$(covered_names)
  if [[ $1 == 443 ]] || grep -qxF -- "$domain" <<<"${covered-}"; then scheme=https; fi
  [[ $ssl == yes && $1 == 80 ]] || leads_www || return 0
  echo '  UseCanonicalName Off'
  echo '  RewriteEngine On'
  if leads_www; then
    echo '  # With www: leads to the domain.'
    content_redirect "www.$domain" "$scheme://$domain"
  fi
  if [[ $ssl == yes && $1 == 80 ]]; then content_redirect "$covered" 'https://%{SERVER_NAME}'; fi
}

# content_redirect NAMES TARGET
content_redirect() {
  local names
  names=$(sed 's/[.]/\\./g' <<<"$1" | paste -sd '|')
  cat <<END
  RewriteCond %{SERVER_NAME} "^($names)\$" [NC]
  RewriteCond %{REQUEST_URI} "!^/\.well-known/(acme-challenge|gatehouse)/"
  RewriteCond %{THE_REQUEST} "^\S+ (/[^?\s]*)"
  RewriteRule ^ $2%1 [R=301,NE,L]
END
}

leads_www() { [[ $www_redirect == yes && " $aliases " == *" www.$domain "* ]]; }

# The virtual host is Gatehouse's as long as its hash is noted. Both are noted while one replaces the other.
hashes() { echo "$settings/virtual-host.sha256"; }
vhost_hash() { sha256sum <"$1" | cut -d' ' -f1; }
is_vhost_unedited() { grep -xF -- "$(vhost_hash "$vhost")" "$(hashes)" >/dev/null; }

# put_vhost FILE
put_vhost() {
  local known=''
  [[ ! -e $(hashes) ]] || known=$(tail -n 1 "$(hashes)")
  { [[ -z $known ]] || echo "$known"; vhost_hash "$1"; } | write_file "$(hashes)" 600
  write_file "$vhost" 600 <"$1"
  [[ -z $known ]] || vhost_hash "$1" | write_file "$(hashes)" 600
}

write_vhost() {
  content_vhost >"$settings/virtual-host.new"
  put_vhost "$settings/virtual-host.new"
  rm -f "$settings/virtual-host.new"
}
