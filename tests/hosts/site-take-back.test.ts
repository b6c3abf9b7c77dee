/** A restore that a power cut interrupts where Gatehouse never comes back: the server takes it back at its next boot. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { followServerJob } from './server-job'
import { endOf, runJob, tracesOf } from './sites/site-job'
import { type Disturbed, disturbedWorks } from './sites/site-works'
import { type Moment, placeStops, type Stops } from './sites/stops'

const chance = openChance()

const nobody = { directory: '', roots: '', contact: '' }

/** As root, from outside: Gatehouse has no connection to the server. */
async function inside({ host }: AdmittedHost, command: string): Promise<string> {
  const { code, stdout, stderr } = await host.run(command, { timeoutMs: 180_000 })
  expect(code, `${command}: ${stderr}`).toBe(0)
  return stdout
}

/** Everything that the site holds and answers, but for backups, which stay. */
async function stateOf(admitted: AdmittedHost, { content }: Disturbed): Promise<string> {
  const traces = (await tracesOf(admitted.host)).replace(/^\/var\/backups.*\n/gm, '')
  return `${traces}${await content?.()}`
}

/** Until nothing is at work any more that the boot has begun. MariaDB of a busy lab host may need a second start. */
const settledBoot = `until systemctl -q is-active mariadb.service; do systemctl start mariadb.service || sleep 1; done
  ended() { systemctl show -P "ExecMain$1" gatehouse-take-back.service; }
  until [ "$(ended ExitTimestampMonotonic)" != 0 ] && [ "$(ended Status)" = 0 ]; do sleep 0.1; done
  while systemctl -q is-active 'gatehouse-site-job-*.service'; do sleep 0.1; done`

/** Resolves with what the job said last, before anybody asked for it: no service follows it. */
async function interrupt(admitted: AdmittedHost, stops: Stops, { work }: Disturbed, { number }: Moment) {
  const jobId = randomUUID()
  await stops.at(number)
  await admitted.machine.sites.start(jobId, work)
  expect(await stops.reached()).toBe(true)
  await admitted.host.powerCut()
  await inside(admitted, settledBoot)
  const last = await inside(admitted, `tail -n 1 /var/lib/gatehouse/site-jobs/${jobId}/events`)
  await stops.place()
  return { jobId, last }
}

test.each(someDebians(chance))(
  `$debian: a restore that is interrupted anywhere is taken back at boot without Gatehouse, SEED=${chance.seed}`,
  async ({ release }) => {
    await using admitted = await startInstalled(release)
    const { host, machine } = admitted
    const subject = disturbedWorks(admitted, nobody, '').find(({ title }) => title === 'restoring a backup')
    if (!subject) throw new Error('There is no restore.')
    await subject.prepare()
    const stops = await placeStops(host)
    const before = await stateOf(admitted, subject)
    await stops.at(0)
    expect((await runJob(machine, subject.work)).at(-1)).toMatchObject({ status: 'done' })
    const moments = await stops.listed()
    const after = await stateOf(admitted, subject)
    await subject.undo()
    // While files and tables change places, and at any other moment.
    const between = moments.slice(
      moments.findIndex(({ what }) => what.endsWith('/journal')),
      moments.findIndex(({ what }) => what.endsWith('/restored')),
    )
    expect(between.length).toBeGreaterThan(10)
    for (const moment of [chance.pick(between), chance.pick(between), chance.pick(moments)]) {
      const title = `${moment.number} of ${moments.length} (${moment.program}: ${moment.what})`
      const { jobId, last } = await interrupt(admitted, stops, subject, moment)
      const status = last.split('\t')[3] ?? ''
      expect(['done', 'failed'], title).toContain(status)
      expect(await stateOf(admitted, subject), title).toBe(status === 'done' ? after : before)
      expect(await inside(admitted, 'systemctl list-units --state=failed --plain --no-legend'), title).toBe('')
      // Whoever asks later gets its outcome.
      const lines = []
      for await (const line of machine.sites.follow(jobId, 0, new AbortController().signal)) lines.push(line)
      expect(lines.at(-1), title).toMatchObject({ status })
      await machine.sites.forget(jobId)
      if (status === 'done') await subject.undo()
    }
    expect(await endOf(machine, subject.work)).toMatchObject({ status: 'done' })
  },
)

test('a server that an earlier version installed gets it when it is brought up to date, and loses it when that is taken back', async () => {
  const [debian] = someDebians(chance)
  if (!debian) throw new Error('There is no release.')
  await using admitted = await startInstalled(debian.release)
  const files = '/usr/local/sbin/gatehouse-take-back /etc/systemd/system/gatehouse-take-back.service'
  const state = `ls ${files} /etc/systemd/system/multi-user.target.wants/gatehouse-take-back.service 2>/dev/null; grep -c take-back /etc/gatehouse/manifest; systemctl is-enabled gatehouse-take-back.service 2>/dev/null; true`
  const installed = await inside(admitted, state)
  expect(installed).toMatch(/\n2\nenabled\n$/)
  await inside(
    admitted,
    `systemctl -q disable gatehouse-take-back.service; rm ${files}; sed -i /take-back/d /etc/gatehouse/manifest; systemctl daemon-reload`,
  )
  const former = await inside(admitted, state)
  expect((await followServerJob(admitted.machine.upgrade)).at(-1)).toMatchObject({ status: 'done' })
  expect(await inside(admitted, state)).toBe(installed)
  expect(
    await inside(admitted, 'grep take-back /etc/gatehouse/manifest | sha256sum --check --quiet && systemctl start gatehouse-take-back'),
  ).toBe('')
  expect((await followServerJob(admitted.machine.revertUpgrade)).at(-1)).toMatchObject({ status: 'done' })
  expect(await inside(admitted, state)).toBe(former)
})
