/** The package's own scripts, on a host with systemd: stopped, removed and installed again, an upgrade that dpkg could not finish, and both answers to the purge's question. */
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { must } from '../hosts/deployment'
import { type Host, startHost } from '../hosts/lab/lab'
import { someDebians } from '../hosts/releases'
import { takeRelease } from '../support/own-release'
import { apt, asNextVersion, currentOf, dataOf, install, makePackage, run, send, show, statesOf } from '../support/package-on-host'
import { openChance } from '../support/seeds'

const chance = openChance()
const dir = mkdtempSync(join(tmpdir(), 'gatehouse-deb-life-'))
const [deb, newer, cut] = ['first.deb', 'newer.deb', 'cut.deb']
let first = ''

beforeAll(() => {
  const archive = takeRelease(join(dir, 'release'))
  first = readFileSync(join(archive.replace(/\.tar\.gz$/, ''), 'VERSION'), 'utf8').trim()
  run('mv', makePackage(archive), join(dir, deb))
  run('mv', makePackage(asNextVersion(archive, dir)), join(dir, newer))
  // Such as after a download that broke off.
  run('cp', join(dir, newer), join(dir, cut))
  truncateSync(join(dir, cut), Math.floor(statSync(join(dir, newer)).size / 2))
}, 900_000)

afterAll(() => rmSync(dir, { recursive: true, force: true }))

const settings = '/etc/gatehouse/portal.env /etc/gatehouse/service.env /etc/gatehouse/service-key'
const folders = '/var/lib/gatehouse-portal /var/lib/gatehouse-service'

/** That version runs, with the account and the settings of before. */
async function expectRunning(host: Host, version: string): Promise<void> {
  await expect.poll(() => statesOf(host), { timeout: 120_000 }).toEqual(['active', 'active'])
  await must(host, 'wget -q --spider http://localhost:3000/api/health/ready')
  expect(await currentOf(host)).toBe(version)
  expect(await must(host, 'gatehouse users list')).toContain('robin@example.org')
  expect(await must(host, 'ls -A /opt/gatehouse/releases')).not.toContain('.kept-')
}

/** Purges on a terminal and answers the question once it is asked. Returns what the terminal showed. */
async function purge(host: Host, answer: 'yes' | 'no'): Promise<string> {
  const command = 'DEBIAN_FRONTEND=teletype apt-get -q -y purge gatehouse'
  await must(host, 'rm -f /root/answer /root/shown; mkfifo /root/answer; touch /root/shown')
  await must(host, `script -qfec '${command}' /root/shown >/root/script.out 2>&1 </root/answer & echo $! >/root/script.pid`)
  const asked = "grep -q 'Delete the data of Gatehouse? ' /root/shown"
  await must(
    host,
    `exec 3>/root/answer; until ${asked}; do kill -0 $(cat /root/script.pid); sleep 0.1; done; echo ${answer} >&3; while kill -0 $(cat /root/script.pid) 2>/dev/null; do sleep 0.1; done`,
  )
  return must(host, 'cat /root/shown')
}

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  test('data and settings outlive a removal, an upgrade that dpkg could not finish, and a purge unless its question is answered with yes', async () => {
    await using host = await startHost({ release, login: { kind: 'root-key' }, name: 'lifecycle' })
    for (const name of [deb, newer, cut]) await send(host, join(dir, name), '/root')
    await install(host, deb)
    await must(host, 'gatehouse setup -', JSON.stringify({ owner: { name: 'Robin', email: 'robin@example.org' } }))
    await must(host, "sed -i 's/^#TRUSTED_PROXIES/TRUSTED_PROXIES/' /etc/gatehouse/portal.env")
    const all = async () => `${await dataOf(host)}${await must(host, `sha256sum ${settings}`)}`
    const before = await all()

    const failed = await host.run(`dpkg -i /root/${cut}`)
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('unexpected end of file')])
    await expectRunning(host, first)
    await killWhileUnpacking(host)
    // The programs that run were not touched.
    await must(host, 'wget -q --spider http://localhost:3000/api/health/ready')
    // What apt asks for before it installs anything.
    await must(host, 'dpkg --configure -a')
    await apt(host, `install --reinstall /root/${newer}`)
    await expectRunning(host, '99.0.0')
    expect(await all()).toBe(before)

    // Units that the administrator disabled stay stopped; those that are enabled are started.
    await must(host, 'systemctl disable -q --now gatehouse-portal gatehouse-service')
    await apt(host, `reinstall /root/${newer}`)
    expect(await statesOf(host)).toEqual(['inactive', 'inactive'])
    await must(host, 'systemctl enable -q gatehouse-portal gatehouse-service')
    await apt(host, `reinstall /root/${newer}`)
    await expectRunning(host, '99.0.0')

    await apt(host, 'remove gatehouse')
    expect(await all()).toBe(before)
    expect((await host.run('ls -d /opt/gatehouse /usr/bin/gatehouse; pgrep -u gatehouse-portal,gatehouse-service')).stdout).toBe('')
    expect(await show(host, 'portal', 'LoadState')).toBe('not-found')
    await install(host, deb)
    await expectRunning(host, first)
    expect(await all()).toBe(before)

    expect(await purge(host, 'no')).toContain('Kept /var/lib/gatehouse-portal')
    await must(host, `ls -d ${folders} /etc/gatehouse/service-key`)
    await install(host, deb)
    await expectRunning(host, first)
    expect(await purge(host, 'yes')).toContain('Deleted the data and keys')
    expect((await host.run(`ls -d ${folders} /etc/gatehouse /opt/gatehouse`)).stdout).toBe('')
  })
})

/** dpkg gets no chance to undo what it began, as when power fails. */
async function killWhileUnpacking(host: Host): Promise<void> {
  await must(host, `dpkg -i /root/${newer} >/root/dpkg.out 2>&1 </dev/null & echo $! >/root/dpkg.pid`)
  const begun = 'ls -d /opt/gatehouse/releases/99.0.0.dpkg-new/node /opt/gatehouse/releases/99.0.0/node 2>/dev/null | grep -q .'
  await must(host, `until ${begun}; do kill -0 $(cat /root/dpkg.pid); done; kill -KILL $(cat /root/dpkg.pid)`)
  expect(await must(host, 'dpkg -s gatehouse')).toContain('Status: install reinstreq half-installed')
}
