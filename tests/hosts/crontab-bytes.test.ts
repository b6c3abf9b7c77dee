/** Crontabs written by other systems and by hand: Windows line ends, errors, and more than fits into an answer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CronTarget, listJobs, nightly, saveJob } from '../service/conformance/cron'
import { register } from '../service/conformance/servers'
import { get, post } from '../service/support/caller'
import { openTestService, type TestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { type Host, startHost } from './lab/lab'
import { someDebians } from './releases'

const spool = '/var/spool/cron/crontabs/root'

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  let host: Host
  let service: TestService
  let target: CronTarget
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'root-key' }, release })
    service = await openTestService()
    const { id } = await register(service, { provider: 'ssh', host: host.ip, port: '22', ...host.login }, 'bytes')
    target = { ...service, id }
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  /** Without cron's header of three lines, which contains the time of writing. */
  const fileOf = async (): Promise<string> => {
    const { stdout } = await host.run(`base64 -w 0 ${spool}`)
    return Buffer.from(stdout, 'base64')
      .toString('latin1')
      .replace(/^# DO NOT EDIT.*\n#.*\n#.*\n/, '')
  }
  const put = (text: string) =>
    host.run(`base64 -d >${spool}; chmod 600 ${spool}; chown root:crontab ${spool}`, {
      stdin: Buffer.from(text, 'latin1').toString('base64'),
    })
  const deleteJob = (line: string) => post(target, `/servers/${target.id}/deletecronjob`, { line })

  test('carriage returns and other control characters survive saving, deleting and restoring a job', async () => {
    const foreign = '# by hand\r\n# \x1b[31mred\x07\r\nMAILTO=ops\r\n30 4 * * * nightly\r\n15 3 * * 0 a\tb\r\n'
    await put(foreign)
    const [first] = await listJobs(target)
    expect(first).toMatchObject(nightly)
    expect(await saveJob(target, { command: 'added' })).toMatchObject({ status: 200 })
    expect(await fileOf()).toBe(`${foreign}30 4 * * * added\n`)
    expect(await deleteJob(first?.line ?? '')).toMatchObject({ status: 200 })
    expect(await fileOf()).toBe(`${foreign.replace('30 4 * * * nightly\r\n', '')}30 4 * * * added\n`)
    expect(await saveJob(target)).toMatchObject({ status: 200 })
    expect(await fileOf()).toBe(`${foreign}30 4 * * * added\n`)
  })

  test.each([
    ['fields are missing', '5 4'],
    ['a minute is none', '99 4 * * * x'],
    ['a month is none', '1 2 3 99 * x'],
    ['a nickname is none', '@often'],
    ['there is a carriage return alone', '\r'],
    ['a command is too long', `* * * * * ${'x'.repeat(1200)}`],
  ])('the error has the number of the line that cron refuses: %s', async (_, bad) => {
    await put(`1 1 * * * first\n# two\nA=b\n${bad}\n1 1 * * * last\n`)
    const line = (await listJobs(target)).find(({ command }) => command === 'first')?.line ?? ''
    for (const { status, body } of [await saveJob(target), await deleteJob(line)]) {
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid' })
      expect(body.error).toContain(': line 4, ')
    }
  })

  test('a crontab of more than 1 MiB is listed in part and marked as partial, and no change truncates it', async () => {
    const long = Array.from({ length: 9000 }, (_, n) => `30 4 * * * job ${n} ${'y'.repeat(120)}\n`).join('')
    expect(long.length).toBeGreaterThan(1024 * 1024)
    await put(long)
    const { status, body } = await get(target, `/servers/${target.id}/cronjobs`)
    expect({ status, partial: body.partial }).toEqual({ status: 200, partial: ['root'] })
    const jobs = body.cronjobs as { command: string; line: string }[]
    expect(jobs.length).toBeGreaterThan(4000)
    expect(jobs.map(({ command }) => command.split(' ')[1])).toEqual(jobs.map((_, n) => String(n)))
    for (const said of [await saveJob(target), await deleteJob(jobs[0]?.line ?? '')])
      expect(said).toMatchObject({ status: 422, body: { error: expect.stringContaining('larger than 700 KB') } })
    expect(await fileOf()).toBe(long)
    await put('30 4 * * * nightly\n')
    expect((await get(target, `/servers/${target.id}/cronjobs`)).body.partial).toBeUndefined()
  })
})
