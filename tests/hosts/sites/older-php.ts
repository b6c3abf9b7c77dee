/** A second version of PHP on a host of Debian 13, as an upgrade from Debian 12 leaves it. */
import type { Host } from '../lab/lab'

const script = `
sed 's/trixie/bookworm/g' /etc/apt/sources.list.d/* /etc/apt/sources.list 2>/dev/null | grep -E '^(deb |Types|URIs|Suites|Components|Signed-By|$)' >/root/bookworm
if grep -q '^Types' /root/bookworm; then mv /root/bookworm /etc/apt/sources.list.d/bookworm.sources; else mv /root/bookworm /etc/apt/sources.list.d/bookworm.list; fi
printf 'Package: *\nPin: release n=bookworm*\nPin-Priority: 100\n' >/etc/apt/preferences.d/bookworm
# Not by apt: the newest php-common says that it breaks this version, which an upgrade leaves all the same.
apt-get -qq update && cd /root && apt-get -qq download php8.2-{cli,common,fpm,mysql,opcache,readline} &&
  DEBIAN_FRONTEND=noninteractive dpkg --force-breaks,depends,confold -i php8.2-*.deb && systemctl restart php8.2-fpm
`

export async function addOlderPhp(host: Host): Promise<void> {
  const { code, stderr } = await host.run(script, { timeoutMs: 240_000 })
  if (code !== 0) throw new Error(stderr)
}
