/** Work on sites of a real host that is cancelled: the site is as before, or the work says that it continues. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SiteJobLine, SiteWork } from '@/lib/service/machines/sites'
import { proveCancel } from '../service/conformance/cancel'
import { openChance } from '../support/seeds'
import { someDebians } from './releases'
import { holdNextJob } from './sites/held-job'
import { useHostWithSites } from './sites/host-with-sites'
import { openHttpService } from './sites/http-service'
import { backingUp, creation, deletion, endOf, pulling, restoring, siteNamed, tracesOf, upload, visit } from './sites/site-job'

const chance = openChance()
const one = siteNamed('onecancel1a2b', 'one.test')
const two = siteNamed('twocancel3c4d', 'two.test')
const copy = siteNamed('onecancel5e6f', 'staging.one.test')
const noAuthority = { directory: '', roots: '', contact: '' }

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one])

  const run = async (command: string) => {
    const { code, stdout, stderr } = await admitted().host.run(command)
    expect(code, `${command}: ${stderr}`).toBe(0)
    return stdout
  }
  /** The programs for pulls and restores, and the folder of the passwords of staging copies. */
  const ofAllSites = /^(\/usr\/local\/lib|\/etc\/gatehouse\/sites\/\.passwords d).*\n/gm
  /** All of the site and of what is beside it, with what its files and tables hold. */
  const state = async () =>
    `${(await tracesOf(admitted().host)).replace(ofAllSites, '')}${await run(`find /home/${one.name} -type f -exec sha256sum {} + | sort; mariadb-dump --skip-dump-date ${one.name} | sha256sum`)}`
  /** Begins the work and cancels it once it is at the step. Resolves with what the server said to that, and with all lines. */
  const cancelAt = async (work: SiteWork, step: string): Promise<{ said: string; lines: SiteJobLine[] }> => {
    const { sites } = admitted().machine
    const jobId = randomUUID()
    const held = await holdNextJob(admitted().host, step)
    await sites.start(jobId, work)
    await held.reached()
    const said = await sites.cancel(jobId)
    await held.release()
    const lines: SiteJobLine[] = []
    for await (const line of sites.follow(jobId, 0, new AbortController().signal)) lines.push(line)
    await sites.forget(jobId)
    return { said, lines }
  }
  const cancelled = { status: 'failed', problem: 'cancelled', error: 'The work was cancelled. What it had done until then is taken back.' }

  test('work on sites of a host is cancelled as on the sandbox', async () => {
    await using service = await openHttpService(admitted())
    const holdNext = async (step: string) => (await holdNextJob(admitted().host, step)).release
    await proveCancel({ ...service, holdNext }, { ...service, key: await service.createKey('stranger') })
  })

  test('a backup, a restore and a pull that are cancelled leave the site as it was, and nothing beside it', async () => {
    const { machine, host } = admitted()
    await upload(host, one, 'index.html', 'a harbour')
    // Enough of both for each step to take a while.
    await run(`mariadb ${one.name} -e 'CREATE TABLE t (a TEXT); INSERT INTO t SELECT REPEAT("a harbour ", 100) FROM seq_1_to_50000'`)
    await run(`head -c 100M /dev/urandom | runuser -u ${one.name} -- sh -c 'cat >/home/${one.name}/public/large'`)
    expect(await endOf(machine, backingUp(one))).toMatchObject({ status: 'done' })
    const [backup] = await machine.sites.listBackups(one)
    const before = await state()
    const works: [SiteWork, string][] = [
      [backingUp(one), 'Backup'],
      [restoring(one, backup?.name ?? ''), 'Unpack'],
      [restoring(one, backup?.name ?? ''), 'Load the database'],
      [restoring(one, backup?.name ?? '', true), 'Backup of the present site'],
      [pulling(one, copy, noAuthority), 'User and folders'],
      [pulling(one, copy, noAuthority), 'Files'],
      [deletion(one), 'Last backup'],
    ]
    for (const [work, step] of works) {
      const { said, lines } = await cancelAt(work, step)
      expect([work.kind, step, said, lines.at(-1)]).toMatchObject([work.kind, step, 'cancelled', cancelled])
      expect(await state(), `${work.kind}, ${step}`).toBe(before)
    }
    expect(await visit(host, one.domain)).toContain('a harbour')
    // Nothing is in the way of the next time.
    expect(await endOf(machine, restoring(one, backup?.name ?? ''))).toMatchObject({ status: 'done' })
    expect(await run(`mariadb -NBe 'SELECT COUNT(*) FROM ${one.name}.t'`)).toBe('50000\n')
  })

  test('a step that must not be killed ends before a creation is taken back', async () => {
    const before = await state()
    const { said, lines } = await cancelAt(creation(two), 'Database')
    expect([said, lines.at(-1)]).toMatchObject(['cancelled', cancelled])
    expect(lines.map(({ step }) => step)).not.toContain('Web server')
    expect(await state()).toBe(before)
  })

  test('work that can no longer be taken back says so and continues', async () => {
    const { machine } = admitted()
    const [backup] = await machine.sites.listBackups(one)
    const { said, lines } = await cancelAt(restoring(one, backup?.name ?? ''), 'Replace the site')
    expect(said).toBe('late')
    expect(lines.some(({ message }) => message.endsWith('It continues.'))).toBe(true)
    expect(lines.at(-1)).toMatchObject({ status: 'done' })
    const gone = await cancelAt(deletion(one), 'Delete')
    expect([gone.said, gone.lines.at(-1)]).toMatchObject(['late', { status: 'done' }])
    expect(await run('ls /home')).not.toContain(one.name)
  })

  test('work that has ended, or was never received, cannot be cancelled', async () => {
    expect(await admitted().machine.sites.cancel(randomUUID())).toBe('ended')
  })
})
