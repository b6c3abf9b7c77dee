/** Work on a site that is interrupted: when it is taken back, and what may not touch the site until then. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import type { SiteJobLine, SiteWork } from '@/lib/service/machines/sites'
import { openChance } from '../support/seeds'
import { backUp } from './nightly-backup'
import { someDebians } from './releases'
import { runThrough } from './sites/faults'
import { useHostWithSites } from './sites/host-with-sites'
import { creation, deletion, endOf, runJob, siteNamed, tracesOf, visit } from './sites/site-job'
import { type Moment, placeStops, type Stops } from './sites/stops'

const chance = openChance()
const one = siteNamed('onestop1a2b', 'one.test')
const two = siteNamed('twostop3c4d', 'two.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one])

  const run = async (command: string) => {
    const { code, stdout, stderr } = await admitted().host.run(command)
    expect(code, `${command}: ${stderr}`).toBe(0)
    return stdout
  }
  const follow = async (jobId: string): Promise<SiteJobLine[]> => {
    const lines: SiteJobLine[] = []
    for await (const line of admitted().machine.sites.follow(jobId, 0, new AbortController().signal)) lines.push(line)
    return lines
  }
  /** Backups stay where they are. */
  const traces = async () => (await tracesOf(admitted().host)).replace(/^\/var\/backups.*\n/gm, '')
  /** Runs the work once, and resolves with its lines and the moments at which it can be stopped. */
  const learn = async (stops: Stops, work: SiteWork) => {
    await stops.at(0)
    const jobId = randomUUID()
    await admitted().machine.sites.start(jobId, work)
    const lines = await follow(jobId)
    await admitted().machine.sites.forget(jobId)
    expect(lines.at(-1)).toMatchObject({ status: 'done' })
    return { lines, moments: await stops.listed() }
  }
  /** Where it writes the last line of a step, but for the last of all. */
  const lastLineOf = async (stops: Stops, work: SiteWork, step: string): Promise<Moment> => {
    const { lines, moments } = await learn(stops, work)
    const written = moments.filter(({ what }) => /^open .*\/events$/.test(what))
    const moment = written[lines.findLastIndex((line) => line.step === step && line.status === 'running')]
    if (!moment) throw new Error(`There is no step ${step}.`)
    return moment
  }
  /** Starts it, and lets it stand still there. Resolves with the job's id. */
  const startUntil = async (stops: Stops, work: SiteWork, moment: Moment): Promise<string> => {
    const jobId = randomUUID()
    await stops.at(moment.number)
    await admitted().machine.sites.start(jobId, work)
    expect(await stops.reached()).toBe(true)
    return jobId
  }
  const killJob = () =>
    run(
      'systemctl kill -s KILL gatehouse-site-job-*.service; while systemctl -q is-active gatehouse-site-job-*.service; do sleep 0.1; done',
    )

  test('after a power cut it is taken back although Apache and MariaDB start slowly', async () => {
    const { host, machine } = admitted()
    const stops = await placeStops(host)
    // Once Apache serves the site, its answers are looked at.
    const moment = (await learn(stops, creation(two))).moments.findLast(({ what }) => what.includes('/mark.'))
    if (!moment) throw new Error('Nothing was looked at.')
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })
    const before = await traces()
    const slow = ['apache2', 'mariadb'].map((unit) => `/etc/systemd/system/${unit}.service.d/slow.conf`).join(' ')
    await run(`for each in ${slow}; do mkdir -p "\${each%/*}" && printf '[Service]\\nExecStartPre=/bin/sleep 20\\n' >"$each"; done`)
    const { reached, end } = await runThrough(admitted(), stops, creation(two), moment, 'the server loses power')
    await run(`for each in ${slow}; do rm -r "\${each%/*}"; done; systemctl daemon-reload`)
    expect(reached).toBe(true)
    expect(end?.error).toMatch(/during the step “Web server”\. Try again\.$/)
    expect(await traces()).toBe(before)
  })

  /** Starts the deletion, and lets it stand still there, which has to be the same change as when it was learned. */
  const startLastBackup = async (stops: Stops, moment: Moment) => {
    const jobId = await startUntil(stops, deletion(two), moment)
    expect((await stops.listed()).find(({ number }) => number === moment.number)).toEqual(moment)
    return jobId
  }
  /** The site is served and can use its database after a deletion that was interrupted. */
  const expectAsBefore = async (jobId: string, lines: readonly SiteJobLine[]) => {
    const { host, machine } = admitted()
    expect(lines.at(-1)).toMatchObject({ status: 'failed', error: expect.stringMatching(/^The server went down/) })
    await machine.sites.forget(jobId)
    expect(await visit(host, two.domain)).toContain('This site is ready')
    expect(
      await run(`mariadb -NBe "SELECT JSON_VALUE(Priv, '$.account_locked') FROM mysql.global_priv WHERE User = '${two.name}'"`),
    ).not.toMatch(/true|1/)
  }

  test('a kill or an orderly reboot during the last backup leaves the site as it was', async () => {
    const { host, machine } = admitted()
    const before = await traces()
    const stops = await placeStops(host)
    expect(await endOf(machine, creation(two))).toMatchObject({ status: 'done' })
    const moment = (await learn(stops, deletion(two))).moments.find(({ what }) => what.endsWith('/archive'))
    if (!moment) throw new Error('The backup has no archive.')
    expect(await endOf(machine, creation(two))).toMatchObject({ status: 'done' })
    const killed = await startLastBackup(stops, moment)
    await killJob()
    await expectAsBefore(killed, await follow(killed))
    const jobId = await startLastBackup(stops, moment)
    const lines = follow(jobId)
    const rebooted = host.reboot()
    await run('while systemctl -q is-active gatehouse-site-job-*.service; do sleep 0.02; done')
    await stops.release()
    await rebooted
    await expectAsBefore(jobId, await lines)
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })
    expect(await traces()).toBe(before)
  })

  test('where nobody follows it, the next work on the server begins with it, and the nightly backup leaves the site alone until then', async () => {
    const { host, machine } = admitted()
    const stops = await placeStops(host)
    const moment = await lastLineOf(stops, creation(two), 'Database')
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })
    const before = await traces()
    await startUntil(stops, creation(two), moment)
    await killJob()
    await stops.at(0)
    const night = await backUp(admitted())
    expect(night.code).not.toBe(0)
    const backups = await run('ls /var/backups/gatehouse-sites')
    expect(backups).toMatch(/one\.test-\S*-nightly/)
    expect(backups).not.toMatch(/two\.test-\S*-nightly/)
    // A take-back would put the old one back.
    await expect(machine.sites.setDatabasePassword(two, 'new')).rejects.toMatchObject({ problem: problem('busy') })
    const lines = await runJob(machine, creation(two))
    expect(lines[0]).toMatchObject({ message: 'Waits for the creation of two.test.' })
    expect(lines.at(-1)).toMatchObject({ status: 'done' })
    expect((await backUp(admitted())).code).toBe(0)
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })
    expect(await traces()).toBe(before)
  })

  test('after a day it is no longer taken back, because others may have worked on the site since', async () => {
    const { host, machine } = admitted()
    const before = await traces()
    const stops = await placeStops(host)
    const moment = await lastLineOf(stops, creation(two), 'Database')
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })
    const jobId = await startUntil(stops, creation(two), moment)
    await killJob()
    await stops.at(0)
    await run(`touch -d '25 hours ago' /var/lib/gatehouse/site-jobs/${jobId}/events`)
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })
    expect(await traces()).toBe(before)
  })

  test('an account that was half deleted is deleted whole', async () => {
    const { machine } = admitted()
    const before = await traces()
    expect(await endOf(machine, creation(two))).toMatchObject({ status: 'done' })
    await run(`pkill -u ${two.name} || true; sed -i '/^${two.name}:/d' /etc/passwd /etc/shadow /etc/group`)
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })
    expect(await traces()).toBe(before)
  })
})
