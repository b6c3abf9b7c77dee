/** Jobs of several sites of a real host: side by side, or one after the other where they need the same. */
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SiteJobLine, SiteWork } from '@/lib/service/machines/sites'
import { proveQueue } from '../service/conformance/queue'
import { openChance } from '../support/seeds'
import { backUp } from './nightly-backup'
import { someDebians } from './releases'
import { type Hold, holdNextJob } from './sites/held-job'
import { useHostWithSites } from './sites/host-with-sites'
import { openHttpService } from './sites/http-service'
import { backingUp, creation, deletion, endOf, runJob, siteNamed, switchingEmail, visit } from './sites/site-job'

const chance = openChance()
const one = siteNamed('onejobs1a2b', 'one.test')
const two = siteNamed('twojobs3c4d', 'two.test')
const three = siteNamed('threejobs5e6f', 'three.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one, two])

  const run = async (command: string) => {
    const { code, stdout, stderr } = await admitted().host.run(command)
    expect(code, `${command}: ${stderr}`).toBe(0)
    return stdout
  }
  const begin = async (work: SiteWork): Promise<string> => {
    const jobId = randomUUID()
    await admitted().machine.sites.start(jobId, work)
    return jobId
  }
  const follow = async (jobId: string, isEnough: (line: SiteJobLine) => boolean = () => false): Promise<SiteJobLine[]> => {
    const lines: SiteJobLine[] = []
    const leave = new AbortController()
    for await (const line of admitted().machine.sites.follow(jobId, 0, leave.signal)) {
      lines.push(line)
      if (isEnough(line)) break
    }
    leave.abort()
    return lines
  }
  /** Begins it, and lets it stand still at its first step. */
  const beginAndHold = async (work: SiteWork): Promise<Hold & { jobId: string }> => {
    const held = await holdNextJob(admitted().host)
    onTestFinished(() => held.release())
    const jobId = await begin(work)
    await held.reached()
    return { jobId, ...held }
  }
  const waitsOf = (lines: readonly SiteJobLine[]) => lines.filter(({ step }) => step.startsWith('Waits for ')).map(({ message }) => message)

  test('jobs of several sites of a host pass the same conformance tests as on the sandbox', async () => {
    await using service = await openHttpService(admitted())
    await proveQueue({ ...service, holdNext: async (step) => (await holdNextJob(admitted().host, step)).release })
  })

  test('while a large site is backed up, others are created, changed and deleted, and its archive is whole', async () => {
    const { machine } = admitted()
    await run(`head -c 300M /dev/urandom | runuser -u ${one.name} -- sh -c 'cat >/home/${one.name}/private/large'`)
    const jobId = await begin(backingUp(one))
    await follow(jobId, ({ step }) => step === 'Backup')
    expect(waitsOf(await runJob(machine, creation(three)))).toEqual([])
    expect(await visit(admitted().host, three.domain)).toContain('This site is ready')
    await machine.sites.setDatabasePassword(two, 'another harbour')
    expect(await endOf(machine, switchingEmail(two, false))).toMatchObject({ status: 'done' })
    expect(await endOf(machine, deletion(three, true))).toMatchObject({ status: 'done' })
    expect((await follow(jobId)).at(-1)).toMatchObject({ status: 'done' })
    expect((await machine.sites.listBackups(one))[0]).toMatchObject({ reason: 'manual', proven: true })
    await machine.sites.forget(jobId)
    await run(
      `rm /home/${one.name}/private/large; ls -A /run/gatehouse-load | wc -l | grep -x 0; find /var/backups/gatehouse-sites -mindepth 1 -delete`,
    )
  })

  test('two dumps that are loaded at a time leave the limit of packets as it was', async () => {
    const limit = () => run(`mariadb -NBe 'SELECT @@GLOBAL.max_allowed_packet'`)
    const before = await limit()
    await run(`mariadb ${one.name} -e 'CREATE TABLE t (a TEXT)'; mariadb ${two.name} -e 'CREATE TABLE t (a TEXT)'`)
    const [backup, gone] = await Promise.all([runJob(admitted().machine, backingUp(one)), runJob(admitted().machine, deletion(two, true))])
    for (const lines of [backup, gone]) expect(lines.at(-1)).toMatchObject({ status: 'done' })
    expect((await admitted().machine.sites.listBackups(one))[0]).toMatchObject({ proven: true })
    expect(await limit()).toBe(before)
    expect(await endOf(admitted().machine, creation(two))).toMatchObject({ status: 'done' })
  })

  test('those that need the same begin in the order in which they came, and one that was killed is taken back before the next begins', async () => {
    const { machine } = admitted()
    const first = await beginAndHold(switchingEmail(one, false))
    const second = await begin(creation(three))
    expect(waitsOf(await follow(second, () => true))).toEqual(['Waits for the change of email of one.test.'])
    const third = await begin(deletion(three, false))
    expect(waitsOf(await follow(third, () => true))).toEqual(['Waits for the change of email of one.test.'])
    await run(`systemctl kill -s KILL gatehouse-site-job-${first.jobId}.service`)
    expect((await follow(first.jobId)).at(-1)).toMatchObject({ status: 'failed', error: expect.stringMatching(/^The server went down/) })
    const [created, deleted] = [await follow(second), await follow(third)]
    expect(created.at(-1)).toMatchObject({ status: 'done' })
    expect(waitsOf(deleted)).toEqual(['Waits for the change of email of one.test.', 'Waits for the creation of three.test.'])
    expect(deleted.at(-1)).toMatchObject({ status: 'done' })
    for (const jobId of [first.jobId, second, third]) await machine.sites.forget(jobId)
    expect(await run('ls /home')).not.toContain(three.name)
  })

  test('a job that waits when the server goes down has changed nothing, and says so', async () => {
    const held = await beginAndHold(backingUp(one))
    const waiting = await begin(backingUp(two))
    await follow(waiting, () => true)
    await admitted().host.powerCut()
    for (const jobId of [waiting, held.jobId]) expect((await follow(jobId)).at(-1)).toMatchObject({ status: 'failed' })
    expect(await run('ls -A /var/backups/gatehouse-sites')).not.toContain('making')
  })

  test('the nightly backup of one site and jobs of others do not wait for each other', async () => {
    const held = await beginAndHold(switchingEmail(two, false))
    const night = backUp(admitted())
    await expect.poll(() => run('ls /var/backups/gatehouse-sites'), { timeout: 120_000, interval: 500 }).toMatch(/one\.test-\S*-nightly/)
    await held.release()
    expect((await night).code).toBe(0)
    expect((await follow(held.jobId)).at(-1)).toMatchObject({ status: 'done' })
    expect(await run('ls /var/backups/gatehouse-sites')).toMatch(/two\.test-\S*-nightly/)
  })

  test('a job of an earlier version that still runs ends before others begin', async () => {
    await run('systemd-run --quiet --collect --unit=gatehouse-site-job.service sleep 600')
    const jobId = await begin(creation(three))
    expect(waitsOf(await follow(jobId, () => true))).toEqual(['Waits for other work on the sites of this server.'])
    await run('systemctl stop gatehouse-site-job.service')
    expect((await follow(jobId)).at(-1)).toMatchObject({ status: 'done' })
    expect(await endOf(admitted().machine, deletion(three, false))).toMatchObject({ status: 'done' })
  })
})
