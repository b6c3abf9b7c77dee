/** Three servers that are already set up and in use before Gatehouse is installed. */
import type { Login, Release } from '../lab/lab'
import type { Listeners } from './answers'

export type LivedIn = {
  title: string
  release: Release
  login: Login
  /** Sets up the host, as root. */
  prepare: string
  /** Prints the firewall's rules in its own format, without counters. */
  rules: string
  /** Services that the admin may restart one day; they must start as before, on the ports of `open`. */
  restarts: readonly string[]
  open: readonly number[]
  listeners: Listeners
  /** Answers that show at the beginning that the host is set up correctly. */
  works: readonly RegExp[]
  /** A word that each part's "kept" sentence must contain. */
  kept: readonly RegExp[]
  /** The last line of an install. */
  ready: RegExp
  /** Settings folders of the parts that did not exist before. */
  newParts: readonly RegExp[]
}

const packages = (names: string) => `export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update && apt-get -qq install -y --no-install-recommends ${names} </dev/null >/dev/null || exit 1`

const iptables = `iptables-save | sed -E '/^#/d; s/ ?\\[[0-9]+:[0-9]+\\]//'; ip6tables-save | sed -E '/^#/d; s/ ?\\[[0-9]+:[0-9]+\\]//'`

const database = [/^\/etc\/(mysql|logrotate\.d|default|init\.d|insserv\.conf\.d|apparmor\.d)(\/|$)/]
const php = [/^\/etc\/php(\/|$)/]
const web = [...php, /^\/etc\/apache2(\/|$)/, /^\/etc\/ssl\/private(\/|$)/, /^\/var\/www(\/html(\/index\.html)?)?$/]
const mail = [/^\/etc\/(postfix(\/|$)|mailname$|aliases(\.db)?$|ssl\/private(\/|$)|rsyslog\.d|ppp|network)/]
const updates = [/^\/etc\/apt\/apt\.conf\.d\/(20auto-upgrades|50unattended-upgrades)$/]

/** nginx in front of two sites, Exim for mail, nftables rules written by hand, and packet forwarding. */
export const nginxHost: LivedIn = {
  title: 'nginx, Exim and nftables on Debian 13',
  release: 'trixie',
  login: { kind: 'sudo-free', user: 'robin' },
  prepare: `${packages('nginx exim4-daemon-light nftables')}
    rm /etc/nginx/sites-enabled/default
    for site in shop blog; do
      mkdir -p /srv/$site && echo "<h1>$site</h1>" >/srv/$site/index.html
      printf 'server { listen 80; server_name %s.test; root /srv/%s; }\\n' $site $site >/etc/nginx/sites-enabled/$site
    done
    echo 'server { listen 8080; root /srv/shop; location / { return 200 "inside only"; } }' >/etc/nginx/conf.d/inside.conf
    sed -i "s/^dc_local_interfaces=.*/dc_local_interfaces=''/; s/^dc_eximconfig_configtype=.*/dc_eximconfig_configtype='internet'/" /etc/exim4/update-exim4.conf.conf
    cat >/etc/nftables.conf <<'RULES'
#!/usr/sbin/nft -f
flush ruleset
table inet admin {
  chain input {
    type filter hook input priority 0; policy drop;
    ct state established,related accept
    iif lo accept
    tcp dport { 22, 25, 80 } accept
    ip saddr 198.51.100.1 tcp dport 8080 accept
  }
  chain forward {
    type filter hook forward priority 0; policy drop;
    ip saddr 10.9.0.0/24 accept
  }
}
RULES
    echo 'net.ipv4.ip_forward = 1' >/etc/sysctl.d/90-router.conf
    sysctl -q -w net.ipv4.ip_forward=1
    update-exim4.conf && systemctl restart nginx exim4 && systemctl enable -q --now nftables && systemctl restart nftables`,
  rules: 'nft --stateless list ruleset',
  restarts: ['nginx', 'exim4', 'nftables'],
  open: [25, 80, 8080],
  listeners: {
    ports: [22, 25, 80, 443, 3306, 8080],
    pages: ['http://shop.test/', 'http://blog.test/', 'http://unknown.test/', 'http://inside.test:8080/'],
  },
  works: [/^25: 220 lab ESMTP Exim/, /shop.test\/: 200 nginx.*<h1>shop/, /^8080: open/, /^8080 from another address: silent/],
  kept: [/nginx.*Sites need Apache, so none can be created here\./, /exim/i, /nftables/i],
  ready: /^The server is ready, but no site can be created on it yet: see “Web server and PHP”\. kept: nginx/,
  newParts: [...database, ...php, ...updates],
}

const sitePage = `<?php $db = new mysqli('localhost', 'shop', 'shop pass', 'shop');
echo php_sapi_name(), ' ', $_SERVER['SERVER_NAME'], ' ', $db->query('SELECT what FROM orders')->fetch_row()[0], "\\n";`

/**
 * mod_php in Apache, two sites, databases of which one is called test, root logins from the network, Postfix listening on all
 * addresses.
 */
export const modPhpHost: LivedIn = {
  title: 'mod_php with two sites, two databases, root from the network, Postfix and iptables-persistent on Debian 12',
  release: 'bookworm',
  login: { kind: 'root-key' },
  prepare: `${packages('apache2 libapache2-mod-php php-mysql mariadb-server postfix iptables-persistent')}
    for site in shop blog; do
      mkdir -p /var/www/$site
      cat >/var/www/$site/index.php <<'PAGE'
${sitePage}
PAGE
      printf '<VirtualHost *:80>\\n  ServerName %s.test\\n  DocumentRoot /var/www/%s\\n  <Directory /var/www/%s>\\n    php_admin_value memory_limit 64M\\n  </Directory>\\n</VirtualHost>\\n' $site $site $site >/etc/apache2/sites-enabled/$site.conf
    done
    printf '[mysqld]\\nbind-address = 0.0.0.0\\nlocal-infile = ON\\n' >/etc/mysql/mariadb.conf.d/99-admin.cnf
    postconf -e 'inet_interfaces = all' 'smtpd_banner = shop.test ESMTP ready' && newaliases
    cat >/etc/iptables/rules.v4 <<'RULES'
*filter
:INPUT DROP [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
-A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A INPUT -i lo -j ACCEPT
-A INPUT -p tcp -m multiport --dports 22,25,80 -j ACCEPT
-A INPUT -s 198.51.100.1/32 -p tcp --dport 3306 -j ACCEPT
COMMIT
RULES
    systemctl restart mariadb apache2 postfix netfilter-persistent
    mariadb -e "CREATE DATABASE test; CREATE TABLE test.notes (what TEXT); INSERT INTO test.notes VALUES ('kept');
      CREATE DATABASE shop; CREATE TABLE shop.orders (what TEXT); INSERT INTO shop.orders VALUES ('three hats');
      CREATE USER shop@localhost IDENTIFIED BY 'shop pass'; GRANT ALL ON shop.* TO shop@localhost;
      CREATE USER root@'198.51.100.%' IDENTIFIED BY 'from afar'; GRANT ALL ON *.* TO root@'198.51.100.%' WITH GRANT OPTION;
      CREATE USER ''@localhost; GRANT SELECT ON test.* TO ''@localhost"`,
  rules: iptables,
  restarts: ['apache2', 'mariadb', 'postfix', 'netfilter-persistent'],
  open: [25, 80, 3306],
  listeners: {
    ports: [22, 25, 80, 443, 3306, 8080],
    pages: ['http://shop.test/', 'http://blog.test/', 'http://unknown.test/'],
    database: { user: 'root', password: 'from afar' },
  },
  works: [
    /^25: 220 shop.test ESMTP ready/,
    /shop.test\/: 200 Apache.*“apache2handler shop.test three hats”/,
    /blog.test\/: 200 Apache.*“apache2handler blog.test three hats”/,
    /^root at 3306: .*, let in/,
    /^3306 from another address: silent/,
  ],
  kept: [
    /Apache .* Sites cannot be created here while Apache runs with mpm_prefork, as mod_php needs it: .*“a2dismod php8\.2 mpm_prefork”/,
    /mariadb/i,
    /postfix/i,
    /iptables|netfilter/i,
  ],
  ready: /^The server is ready, but no site can be created on it yet: see “Web server and PHP”\. kept: Apache/,
  newParts: [...php, ...updates],
}

/** UFW that allows one network and denies port 80, a program on 8080, fail2ban, and security updates that the admin installs by hand. */
export const limitedHost: LivedIn = {
  title: 'UFW limited to one network, a program on 8080, fail2ban and updates by hand on Debian 12',
  release: 'bookworm',
  login: { kind: 'root-key' },
  prepare: `${packages('ufw fail2ban python3-systemd unattended-upgrades')}
    printf 'APT::Periodic::Update-Package-Lists "1";\\nAPT::Periodic::Unattended-Upgrade "0";\\n' >/etc/apt/apt.conf.d/20auto-upgrades
    useradd -m app && mkdir /home/app/public && echo 'the program' >/home/app/public/index.html
    printf '[Unit]\\nDescription=The program\\n[Service]\\nUser=app\\nExecStart=/usr/bin/python3 -m http.server 8080 --directory /home/app/public\\n[Install]\\nWantedBy=multi-user.target\\n' >/etc/systemd/system/program.service
    printf '[sshd]\\nenabled = true\\nmaxretry = 4\\n' >/etc/fail2ban/jail.d/admin.local
    systemctl restart fail2ban && systemctl enable -q --now program
    ufw allow from 198.51.100.0/28 to any port 22 proto tcp && ufw deny 80 && ufw allow 8080/tcp && ufw --force enable`,
  rules: `ufw status verbose; ufw show added; ${iptables}`,
  restarts: ['fail2ban', 'program', 'ufw'],
  open: [8080],
  listeners: {
    ports: [22, 25, 80, 443, 3306, 8080],
    pages: ['http://program.test:8080/', 'http://program.test/'],
  },
  works: [/^22: SSH-2.0/, /^22 from another address: silent/, /^80: silent/, /program.test:8080\/: 200 .*“the program”/],
  kept: [/UFW .* The rules block ports 80 and 443; allow them on the Firewall page\./, /unattended-upgrades/i],
  ready: /^The server is ready\. kept: /,
  newParts: [...web, ...database, ...mail],
}
