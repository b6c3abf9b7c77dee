/**
 * The state of an installed host as text: equal texts mean equal hosts. Taken after a reboot, so that it is the state that
 * survives one.
 */
import type { Host } from './lab/lab'

const script = `
dpkg-query -W -f='\${Package} \${Version} \${Status}\\n'
for unit in $(systemctl list-unit-files --state=enabled --plain --no-legend | cut -d' ' -f1); do echo "$unit $(systemctl is-active "$unit")"; done
cat /etc/gatehouse/manifest
grep -v '^#' /etc/gatehouse/manifest | sha256sum --check
ls /etc/apache2/mods-enabled /etc/apache2/conf-enabled /etc/apache2/sites-enabled
ufw status numbered
postconf -n
mariadb -N -B -e 'SELECT User, Host FROM mysql.global_priv ORDER BY 1, 2; SHOW DATABASES'
find /etc /usr/local /var/lib/gatehouse -name '.gatehouse*' -o -name 'owed-*'
dpkg --audit
systemctl list-units --state=failed --plain --no-legend
`

export async function digestOf(host: Host): Promise<string> {
  await host.reboot()
  return (await host.run(script)).stdout
}
