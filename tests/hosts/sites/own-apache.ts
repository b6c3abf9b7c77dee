/** An Apache (event, PHP-FPM) that served two sites before Gatehouse knew the host. */
import type { Host } from '../lab/lab'

const apt = 'DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install'

/** One site of files, one of PHP in the shared pool. The second is the default for unknown names. */
const ownSites = `
set -e
mkdir -p /srv/first /srv/second
echo 'the first' >/srv/first/index.html
# Of a file that has just changed, Apache sends another ETag a second later.
touch -d '1 hour ago' /srv/first/index.html
echo '<?php echo "the second ", PHP_SAPI, " ", get_current_user();' >/srv/second/index.php
version=$(ls /etc/php)
a2dissite -q 000-default
a2enmod -q proxy_fcgi setenvif rewrite
a2enconf -q "php$version-fpm"
for name in first second; do
  printf '<VirtualHost *:80>\\n ServerName %s.test\\n DocumentRoot /srv/%s\\n <Directory /srv>\\n Require all granted\\n AllowOverride All\\n </Directory>\\n</VirtualHost>\\n' \\
    $name $name >/etc/apache2/sites-available/$name.conf
done
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=first.test -keyout /srv/own.key -out /srv/own.pem 2>/dev/null
ln -s ../sites-available/second.conf /etc/apache2/sites-enabled/a-second.conf
ln -s ../sites-available/first.conf /etc/apache2/sites-enabled/first.conf
systemctl restart "php$version-fpm" apache2`

const mustRun = async (host: Host, command: string): Promise<void> => {
  const { code, stdout, stderr } = await host.run(command)
  if (code !== 0) throw new Error(`${command}: ${stderr || stdout}`)
}

/** Sets both up. MariaDB is there too, used by nothing. */
export async function setUpOwnApache(host: Host): Promise<void> {
  await mustRun(host, `apt-get -q update && ${apt} apache2 php-fpm php-mysql mariadb-server`)
  await mustRun(host, ownSites)
}

/** The names that show how it answers: its two sites, and what no site has. */
export const ownNames: readonly string[] = ['first.test', 'second.test', 'unknown.test', '']
