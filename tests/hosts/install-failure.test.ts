import { expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'
import { isOpen } from '../support/open-port'
import { openChance } from '../support/seeds'
import { install, messagesOf } from './install-run'
import { type AdmittedHost, startAdmitted } from './reach'
import { someDebians } from './releases'

const chance = openChance()

/** A unit that answers with its name. */
const answerOn = (port: number, name: string) => `systemd-run --quiet --unit=${name} perl -MIO::Socket::INET -e '
  $socket = IO::Socket::INET->new(LocalPort => ${port}, Listen => 5, ReuseAddr => 1) or die;
  while ($peer = $socket->accept) { print $peer "HTTP/1.0 200 OK\\r\\n\\r\\n${name}"; close $peer }'`

test.each(someDebians(chance))(
  `$debian: a failed install reports the true cause, reverts its changes and can be repeated SEED=${chance.seed}`,
  async ({ release }) => {
    await using admitted = await startAdmitted({ kind: 'root-key' }, release)
    await proveRefusal(admitted)
    await provePortTaken(admitted)
    await proveBrokenVhost(admitted)
    await proveWholeWrites(admitted)
  },
)

/** Everything an install could change before it refuses. */
const stateOf = async ({ host }: AdmittedHost): Promise<string> =>
  (await host.run('cat /var/lib/dpkg/status | sha256sum; find /etc /var/lib/apt -type f -newer /root/mark; ls -A /var/lib/apt/lists'))
    .stdout

async function proveRefusal(admitted: AdmittedHost): Promise<void> {
  const { host } = admitted
  const built = await host.run(`mkdir -p /root/precious/DEBIAN && cd /root && printf '%s\\n' 'Package: precious' 'Version: 1' \\
    'Architecture: all' 'Maintainer: somebody' 'Description: it cannot be beside PHP' 'Conflicts: php-fpm' >precious/DEBIAN/control &&
    dpkg-deb -b precious precious.deb && dpkg -i precious.deb && touch /root/mark`)
  expect(built.code).toBe(0)
  const before = await stateOf(admitted)
  const lines = await install(admitted)
  expect(lines.at(-1)).toMatchObject({ status: 'failed', error: 'Nothing was changed: installing php-fpm would remove precious.' })
  expect(await stateOf(admitted)).toBe(before)
  expect((await host.run('ls /etc/gatehouse; dpkg -P precious')).stdout).not.toContain('manifest')
}

async function provePortTaken(admitted: AdmittedHost): Promise<void> {
  const { host } = admitted
  await host.run(answerOn(8080, 'neighbour'))
  const lines = await install(admitted, async ({ step, message }) => {
    if (step === 'Packages' && message === 'Begun.') await host.run(answerOn(80, 'squatter'))
  })
  expect(lines.at(-1)?.error).toMatch(/^The step “[^”]+” failed: .*Address already in use/)
  expect(await (await fetch(`http://${host.ip}/`)).text()).toBe('squatter')
  // Debian's Postfix listens on all addresses until the mail step, which this run did not reach.
  expect((await host.run('postfix status')).code).toBe(0)
  expect(await isOpen(host.ip, 25)).toBe(false)
  // It must not start before the other one when the server boots next.
  expect((await host.run('systemctl is-enabled apache2; systemctl is-failed apache2')).stdout).toBe('disabled\ninactive\n')
  expect((await host.run('ls /etc/apache2/conf-enabled/gatehouse.conf /etc/apache2/conf-available/gatehouse.conf')).stdout).toBe('')
  await host.run('systemctl stop squatter')
  const again = await install(admitted)
  expect(again.at(-1)).toMatchObject({ status: 'done', message: 'The server is ready.' })
  expect(messagesOf(again)).toContain('Port 8080/tcp stays open: perl listens on it.')
  expect(await (await fetch(`http://${host.ip}:8080/`)).text()).toBe('neighbour')
  expect((await fetch(`http://${host.ip}/`)).status).toBe(200)
}

async function proveBrokenVhost(admitted: AdmittedHost): Promise<void> {
  const { host } = admitted
  const enabled = 'ls /etc/apache2/conf-enabled /etc/apache2/mods-enabled'
  await host.run('echo Nonsense >/etc/apache2/sites-enabled/broken.conf; rm /etc/apache2/conf-enabled/gatehouse.conf')
  const before = (await host.run(enabled)).stdout
  const lines = await install(admitted)
  expect(lines.at(-1)?.error).toMatch(
    /^The step “Web server and PHP” failed: AH00526: Syntax error on line 1 of .*broken.conf: Invalid command 'Nonsense'/,
  )
  expect(messagesOf(lines)).toContain('Put back: /etc/apache2/conf-enabled')
  expect((await host.run(enabled)).stdout).toBe(before)
  expect((await fetch(`http://${host.ip}/`)).status).toBe(200)
  await host.run('rm /etc/apache2/sites-enabled/broken.conf')
  expect((await install(admitted)).at(-1)).toMatchObject({ status: 'done' })
}

/** Fills the disk up to half of what is needed. */
async function proveWholeWrites({ host }: AdmittedHost): Promise<void> {
  const ran = await host.run(`mkdir /mnt/full; mount -t tmpfs -o size=64k none /mnt/full; cd /mnt/full
    ${readScript('steps/files.bash')}
    content() { head -c 30000 /dev/zero | tr '\\0' x; }
    echo old >unit; head -c 49152 /dev/zero >filler
    write_whole /mnt/full/unit 644 content; echo $?; cat unit; ls -A
    rm filler; write_whole /mnt/full/unit 644 content; echo $?; wc -c <unit; umount -l /mnt/full`)
  expect(ran.stdout).toBe('/mnt/full/unit could not be written.\n1\nold\nfiller\nunit\n0\n30000\n')
}
