/** What a server did by its own timers, and its boots, are in its summary: from what the server notes anyway, so also from before Gatehouse asked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServerEvent } from '@/lib/service/machines/machine'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { type Authority, startAuthority } from './lab/authority'
import { backUp, folder } from './nightly-backup'
import { packageBuilder } from './package-source'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { creation, endOf, siteNamed, switchingSsl } from './sites/site-job'

const chance = openChance()
const site = siteNamed('oneevent1a2b', 'one.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  let brief: Authority
  beforeAll(async () => {
    brief = await startAuthority({ lifeSeconds: 40 })
    admitted = await startInstalled(release)
    await brief.serveNames(admitted.host)
    await brief.addAddresses('one.test', [admitted.host.ip])
    expect(await endOf(admitted.machine, creation(site))).toMatchObject({ status: 'done' })
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
    await brief?.[Symbol.asyncDispose]()
  })

  const run = async (command: string): Promise<string> => {
    const { code, stdout, stderr } = await admitted.host.run(command, { timeoutMs: 180_000 })
    expect(code, `${command}: ${stderr}`).toBe(0)
    return stdout
  }
  const eventsOf = async (kind: ServerEvent['kind']) => (await admitted.machine.summary()).events.filter((event) => event.kind === kind)
  /** The journal notes lines a moment later, and a summary leaves out what it cannot read in time. */
  const untilEvents = async (kind: ServerEvent['kind'], count: number) => {
    let events: ServerEvent[] = []
    const read = async () => {
      events = await eventsOf(kind)
      return events
    }
    await expect.poll(read, { timeout: 120_000 }).toHaveLength(count)
    return events
  }

  test('a nightly backup: how many sites; one that failed: which, and why; each keeps its id and its time', async () => {
    expect(await eventsOf('backup')).toEqual([])
    expect((await backUp(admitted)).code).toBe(0)
    const first = await untilEvents('backup', 1)
    expect(first).toMatchObject([{ outcome: 'done', detail: 'The server and 1 site were backed up.', site: '' }])
    expect(Math.abs(Date.parse(first[0]?.at ?? '') - Date.now())).toBeLessThan(120_000)

    // The table cannot be dumped, so the site has no backup of its own.
    await run(`mariadb -e "CREATE TABLE ${site.name}.broken (id INT) ENGINE=MyISAM" && : >/var/lib/mysql/${site.name}/broken.MYI
      mariadb -e 'FLUSH TABLES'`)
    await backUp(admitted)
    await run(`mariadb -e "DROP TABLE ${site.name}.broken"`)
    await run(`mount -t tmpfs -o size=8M,mode=700 none ${folder} && head -c 12M /dev/urandom >/srv/large`)
    await backUp(admitted)
    await run(`umount ${folder}; rm -f /srv/large`)
    const all = await untilEvents('backup', 3)
    expect(all).toMatchObject([
      ...first,
      { outcome: 'failed', detail: expect.stringContaining('Sites without a new backup: one.test.') },
      { outcome: 'failed', detail: expect.stringContaining('There is not enough room in /var/backups/gatehouse') },
    ])
    expect(new Set(all.map(({ id }) => id)).size).toBe(3)
  })

  test('what a user of the server writes to the journal in the name of its timers is no event', async () => {
    const before = (await admitted.machine.summary()).events
    const entries = [
      'MESSAGE_ID=be02cf6855d2428ba40df7e9d022f03d\nUNIT=gatehouse-backup.service\nJOB_RESULT=failed\nINVOCATION_ID=forged\nMESSAGE=failed: forged',
      'MESSAGE_ID=b07a249cd024414a82dd00cd181378ff\nMESSAGE=Startup finished',
    ]
    for (const entry of entries) await admitted.host.run('runuser -u nobody -- logger --journald', { stdin: `${entry}\n` })
    expect(await run('sleep 1; journalctl -q --no-pager -o cat MESSAGE_ID=be02cf6855d2428ba40df7e9d022f03d | grep -c forged')).toBe('1\n')
    expect((await admitted.machine.summary()).events).toEqual(before)
  })

  test('a certificate that its timer renewed; one that cannot be renewed is one event, however often it is tried', async () => {
    const from = { directory: brief.directory, roots: brief.roots, contact: '' }
    expect(await endOf(admitted.machine, switchingSsl(site, true, from))).toMatchObject({ status: 'done' })
    expect(await eventsOf('renewal')).toEqual([])
    const renew = () => run('sleep 26; systemctl start gatehouse-certificates.service')
    await renew()
    const renewed = await untilEvents('renewal', 1)
    expect(renewed).toMatchObject([{ outcome: 'done', site: 'one.test' }])
    await brief.clear('one.test')
    await renew()
    await renew()
    expect(await untilEvents('renewal', 2)).toMatchObject([
      { ...renewed[0] },
      { outcome: 'failed', site: 'one.test', detail: expect.stringMatching(/\w{5}/) },
    ])
  })

  test('automatic updates: which packages, and those that failed', async () => {
    await run(`${packageBuilder}
      rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
      echo 'deb [trusted=yes] file:/srv/apt/events ./' >/etc/apt/sources.list
      echo 'Unattended-Upgrade::Origins-Pattern { "origin=Events"; };' >/etc/apt/apt.conf.d/99events
      for name in gh-one gh-two; do package $name 1 first; done
      dpkg -i /srv/apt/first/*.deb >/dev/null
      package gh-one 2 events; package gh-two 2 events; index events Events stable`)
    expect(await eventsOf('updates')).toEqual([])
    await run('apt-get update -q && unattended-upgrade')
    expect(await untilEvents('updates', 1)).toMatchObject([{ outcome: 'done', detail: 'gh-one, gh-two.' }])
    // One with nothing to install is none.
    await run('sleep 1; unattended-upgrade')
    await run(`${packageBuilder}
      package gh-two 3 events 'exit 7'; index events Events stable; apt-get update -q`)
    await admitted.host.run('unattended-upgrade', { timeoutMs: 120_000 })
    expect(await untilEvents('updates', 2)).toMatchObject([
      { outcome: 'done' },
      { outcome: 'failed', detail: 'gh-two. /var/log/unattended-upgrades says why.' },
    ])
  })

  test('each boot, with the id and time it had before the next one', async () => {
    const [first, ...others] = await untilEvents('reboot', 1)
    expect([first?.outcome, others]).toEqual(['done', []])
    await admitted.host.reboot()
    expect((await untilEvents('reboot', 2))[0]?.id).toBe(first?.id)
    await admitted.host.powerCut()
    const times = (await untilEvents('reboot', 3)).map(({ at }) => at)
    expect(times).toEqual(times.toSorted())
  })
})
