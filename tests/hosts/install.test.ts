import { expect, test } from 'vitest'
import { steps } from '@/lib/service/machines/debian/steps/steps'
import type { InstallLine } from '@/lib/service/machines/machine'
import { isSoak, openChance } from '../support/seeds'
import { digestOf } from './digest'
import { type Disturbance, disturbances, installThrough, type Point } from './disturbance'
import { install, messagesOf } from './install-run'
import type { Release } from './lab/lab'
import { type AdmittedHost, startAdmitted } from './reach'
import { type Debian, someDebians } from './releases'

const chance = openChance()
const tried = someDebians(chance)

/** The result of an undisturbed run on a host of each release; the results of disturbed runs are compared with it. */
const undisturbed = new Map<Release, string>()

const versions: Record<Release, { php: RegExp; mariadb: RegExp }> = {
  bookworm: { php: /^8\.2\.\d+$/, mariadb: /^10\.11\.\d+$/ },
  trixie: { php: /^8\.4\.\d+$/, mariadb: /^11\.8\.\d+$/ },
}

test.each(tried)(
  `$debian: an install runs every step, serves, backs up, can be repeated without damage, and is removed on deletion SEED=${chance.seed}`,
  async ({ release }) => {
    await using admitted = await startAdmitted({ kind: 'root-key' }, release)
    const { host, machine } = admitted
    const lines = await install(admitted)
    expect(lines.at(-1)).toMatchObject({ status: 'done', progress: 100 })
    expect(lines.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1))
    expect(lines.every(({ progress }, index) => progress >= (lines[index - 1]?.progress ?? 0))).toBe(true)
    expect([...new Set(lines.slice(0, -1).map(({ step }) => step))]).toEqual(steps.map(({ name }) => name))
    undisturbed.set(release, await digestOf(host))
    expect((await fetch(`http://${host.ip}/`)).status).toBe(200)
    expect(await machine.summary()).toMatchObject({
      webserver: 'apache',
      apache: expect.stringMatching(/^2\.4\.\d+$/),
      php: expect.stringMatching(versions[release].php),
      mariadb: expect.stringMatching(versions[release].mariadb),
      failed_units: [],
      kept: [],
    })
    await proveBackups(admitted)
    await proveRepetition(admitted)
    await proveChoices(admitted)
    await proveWayIn(admitted)
    await proveLeaving(admitted)
  },
)

async function proveBackups({ host, machine }: AdmittedHost): Promise<void> {
  await host.run(`for day in 1 2 3 4 5 6 7; do touch /var/backups/gatehouse/backup-2020-01-0$day-000000.tar.gz; done
    mariadb -e 'CREATE DATABASE shop; CREATE TABLE shop.orders (what TEXT); INSERT INTO shop.orders VALUES ("zażółć")'`)
  expect((await host.run('systemctl start gatehouse-backup.service')).code).toBe(0)
  const names = (await host.run('ls /var/backups/gatehouse')).stdout.trim().split('\n')
  expect(names).toHaveLength(7)
  expect(names[0]).toBe('backup-2020-01-02-000000.tar.gz')
  const newest = `/var/backups/gatehouse/${names.at(-1)}`
  expect((await host.run(`tar -xzOf ${newest} databases/shop.sql.gz | gzip -dc | grep -c zażółć`)).stdout.trim()).toBe('1')
  expect((await host.run(`tar -tzf ${newest} etc/passwd var/www/html/index.html`)).code).toBe(0)
  // A verified backup was loaded again and not changed since; its hash is stored next to it.
  expect((await machine.backups.list()).items.map(({ name, proven }) => [name, proven])).toEqual(
    [...names].reverse().map((name, place) => [name, place === 0]),
  )
  expect((await host.run(`cd /var/backups/gatehouse && sha256sum -c .${names.at(-1)}.proven`)).code).toBe(0)
  // The commands of docs/restoring-a-server.md.
  await host.run("mariadb -e 'DROP TABLE shop.orders; CREATE DATABASE other; CREATE TABLE other.kept (x INT)'; rm /var/www/html/index.html")
  const restored = await host.run(`cd /var/backups/gatehouse && B=${names.at(-1)} && mkdir /root/restored
    tar -xzOf "$B" databases/shop.sql.gz | gzip -dc | mariadb && tar -xzf "$B" -C /root/restored var/www/html &&
    mv /root/restored/var/www/html/index.html /var/www/html/ && mariadb -N -e 'SELECT what FROM shop.orders; SHOW TABLES FROM other'`)
  expect(restored).toMatchObject({ code: 0, stdout: 'zażółć\nkept\n' })
}

/** Locks as apt does: with fcntl, which flock cannot do. */
const holdPackageLock = `
  setsid perl -MFcntl -e '
    open(LOCK, ">>", "/var/lib/dpkg/lock-frontend");
    my $lock = pack("s s x4 q q l x4", F_WRLCK, 0, 0, 0, 0);
    fcntl(LOCK, F_SETLK, $lock) or die;
    sleep 20' </dev/null >/dev/null 2>&1 &
  until grep -q POSIX.*:$(stat -c %i /var/lib/dpkg/lock-frontend) /proc/locks; do sleep 0.1; done`

async function proveRepetition(admitted: AdmittedHost): Promise<void> {
  const { host } = admitted
  const conf = '/etc/mysql/mariadb.conf.d/60-gatehouse.cnf'
  await host.run(`echo '# by hand' >>${conf}; rm /etc/apache2/conf-enabled/gatehouse.conf`)
  await host.run(holdPackageLock)
  const lines = await install(admitted)
  const begun = lines.filter(({ message }) => message === 'Begun.').map(({ step }) => step)
  expect(begun).toEqual(['Check the server', 'Package system', 'Web server and PHP'])
  expect(lines.map(({ message }) => message).join('\n')).toMatch(
    /^Waiting: dpkg: error: dpkg frontend lock was locked by \S+ process with pid \d+$/m,
  )
  expect(lines.map(({ message }) => message)).toContain(`${conf} was edited by hand and is left as it is.`)
  expect(lines.at(-1)).toMatchObject({ status: 'done', progress: 100 })
  expect((await host.run(`tail -n 1 ${conf}; ls /etc/apache2/conf-enabled/gatehouse.conf`)).stdout).toBe(
    '# by hand\n/etc/apache2/conf-enabled/gatehouse.conf\n',
  )
}

/** Deliberate changes stay and are reported; broken parts are repaired. Manifests of the first format can be read. */
async function proveChoices(admitted: AdmittedHost): Promise<void> {
  const { host } = admitted
  await host.run(`rm /etc/apt/apt.conf.d/52gatehouse-updates; postconf -e inet_interfaces=all; ufw delete allow 443/tcp; ufw deny 81
    ufw limit 22/tcp; systemctl disable --now unattended-upgrades; systemctl stop mariadb
    mariadb-admin ping; dpkg --purge php-zip; sed -i -e '/^# part/d' -e '1s/2/1/' /etc/gatehouse/manifest`)
  const chosen = 'ufw show added; postconf inet_interfaces; systemctl is-enabled unattended-upgrades; ls /etc/apt/apt.conf.d'
  const before = (await host.run(chosen)).stdout
  const lines = await install(admitted)
  expect(lines.at(-1)).toMatchObject({ status: 'done', message: 'The server is ready.' })
  expect((await host.run(chosen)).stdout).toBe(before)
  expect(messagesOf(lines)).toEqual(
    expect.arrayContaining([
      'Postfix: “inet_interfaces = all” was set by hand and is left as it is.',
      'The firewall rules were changed since it was set up and are left as they are.',
      'unattended-upgrades was turned off by hand and stays off.',
      '/etc/apt/apt.conf.d/52gatehouse-updates was deleted by hand and stays deleted.',
    ]),
  )
  expect((await host.run(`systemctl is-active mariadb; dpkg-query -W -f='\${db:Status-Abbrev}' php-zip`)).stdout).toBe('active\nii ')
}

/** Rules that would lock us out are repaired, but only for our own address. */
async function proveWayIn(admitted: AdmittedHost): Promise<void> {
  const { host, connections, reach } = admitted
  await host.run('ufw delete limit 22/tcp; ufw delete allow 22/tcp')
  expect((await install(admitted)).at(-1)).toMatchObject({ status: 'done' })
  expect((await connections.onNewConnection(reach, { script: 'echo in' }, 10_000)).stdout).toBe('in\n')
  const ssh = (await host.run('ufw show added | grep -w 22')).stdout
  expect(ssh).toMatch(/^ufw (prepend )?allow from [0-9.]+ to any port 22 proto tcp comment 'SSH'\n$/)
}

async function proveLeaving({ host, machine }: AdmittedHost): Promise<void> {
  expect(await machine.cleanUp()).toBe(true)
  expect((await fetch(`http://${host.ip}/`)).status).toBe(200)
  const left = await host.run(
    `grep -rl gatehouse /root/.ssh; ls -d /etc/gatehouse /var/lib/gatehouse /usr/local/sbin/gatehouse* /etc/systemd/system/*gatehouse* /etc/apache2/*/gatehouse* 2>/dev/null
     systemctl list-units --all --plain --no-legend 'gatehouse*'; systemctl list-units --state=failed --plain --no-legend`,
  )
  expect(left.stdout).toBe('')
  expect((await host.run('ls /var/backups/gatehouse | wc -l')).stdout.trim()).toBe('7')
  expect((await host.run('cd /var/backups/gatehouse-before && grep ^inet_interfaces etc/postfix/main.cf; ls etc/ufw')).stdout).toBe(
    'inet_interfaces = all\nufw.conf\nuser.rules\nuser6.rules\n',
  )
}

test.each(tried)(
  `security 54: $debian: a full disk fails the step with apt’s own message, or the start with the system’s; free space fixes both SEED=${chance.seed}`,
  async ({ release }) => {
    await using admitted = await startAdmitted({ kind: 'root-key' }, release)
    const { host, machine } = admitted
    let failed: InstallLine | undefined
    for (const leftMiB of [150, 20]) {
      await host.run(`rm -f /filler; free=$(df --output=avail -B1M / | tail -n 1); fallocate -l $((free - ${leftMiB}))M /filler`)
      const lines = await install(admitted)
      failed = lines.at(-1)
      expect(failed).toMatchObject({
        step: 'Packages',
        status: 'failed',
        error: expect.stringMatching(/^The step “Packages” failed: .*[Ss]pace/),
      })
    }
    await host.run('cat /dev/zero >/filler2')
    await expect(machine.install.start()).rejects.toMatchObject({
      problem: { code: 'internal', sentence: expect.stringMatching(/The server’s disk is full/) },
    })
    await host.run('rm /filler /filler2')
    expect(await machine.install.start()).toEqual({ attached: false, firstLine: failed?.line })
  },
)

/** Leaves a package half unpacked, as a power cut would: unpacks it repeatedly and kills dpkg after different delays. */
const halfUnpack = `
  cd /tmp && apt-get -qq update && apt-get -qq download mariadb-server-core || exit 1
  for delay in 0.3 0.4 0.2 0.5 0.25 0.35 0.6 0.15 0.8 1 1.5; do
    timeout -s KILL $delay dpkg --force-depends --unpack mariadb-server-core_*.deb >/dev/null 2>&1
    [[ $(dpkg-query -W -f='\${db:Status-Abbrev}' mariadb-server-core) != iHR ]] || exit 0
    dpkg --force-all --purge mariadb-server-core >/dev/null 2>&1
  done
  exit 1`

test.each(tried)(
  `$debian: packages half unpacked at a power cut are unpacked again; dpkg’s own errors are reported SEED=${chance.seed}`,
  async ({ release }) => {
    await using admitted = await startAdmitted({ kind: 'root-key' }, release)
    const { host, machine } = admitted
    await host.run('echo nonsense >/var/lib/dpkg/updates/0000')
    expect((await install(admitted)).at(-1)?.error).toMatch(/^Nothing was changed: dpkg-query: error: .*updates\/0000/)
    expect((await host.run(`rm /var/lib/dpkg/updates/0000; ${halfUnpack}`, { timeoutMs: 60_000 })).code).toBe(0)
    const { firstLine } = await machine.install.start()
    for await (const line of machine.install.follow(firstLine, new AbortController().signal)) {
      expect(line.error).toBeUndefined()
      if (line.step === 'Packages') break
    }
    expect((await host.run('dpkg --audit')).stdout).toBe('')
  },
)

/** Every step except the one that does nothing on a fresh host. */
const disturbable = steps.filter(({ id }) => id !== 'ready')

type Ordeal = Debian & { points: Point[] }

/**
 * A quick run: the host goes down while packages are being unpacked, the one moment at which a package can be left half unpacked,
 * and another step is disturbed too. A soak: every step in every way, on both releases.
 */
function chooseOrdeals(): Ordeal[] {
  const point = (id: string, what: Disturbance): Point => {
    const step = steps.find((one) => one.id === id)?.name ?? id
    if (id !== 'packages') return { step, from: 'Begun.', lines: 0, what }
    return { step, from: isSoak ? chance.pick(['Begun.', 'Unpacking ']) : 'Unpacking ', lines: chance.below(300), what }
  }
  const whole = disturbances.map((what) => disturbable.map(({ id }) => point(id, what)))
  if (isSoak) return tried.flatMap((debian) => whole.map((points) => ({ ...debian, points })))
  const other = chance.pick(disturbable.filter(({ id }) => id !== 'packages')).id
  const first = chance.pick(['reboot', 'power cut'] as const)
  const second = chance.pick(disturbances.filter((what) => what !== first))
  return tried.map((debian) => ({ ...debian, points: [point('packages', first), point(other, second)] }))
}

test.each(
  chooseOrdeals().map((ordeal) => ({
    ...ordeal,
    title: ordeal.points.map(({ what, step, from, lines }) => `${what} at ${step}, ${from.trim()} + ${lines}`).join(', '),
  })),
)(`security 53: $debian: an install ends like an undisturbed one: $title SEED=${chance.seed}`, async ({ points, release }) => {
  await using admitted = await startAdmitted({ kind: 'root-key' }, release)
  expect(await installThrough(admitted, points)).toEqual(points)
  expect(await digestOf(admitted.host)).toBe(undisturbed.get(release))
})
