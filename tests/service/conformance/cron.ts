/** What every provider must do for cron over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'

/** A server with the user root and no crontab of root. */
export type CronTarget = Target & { id: string }

export type CronFields = Record<'minute' | 'hour' | 'dom' | 'mon' | 'dow' | 'user' | 'command', string>

export type ListedJob = CronFields & { line: string }

export const nightly: CronFields = { minute: '30', hour: '4', dom: '*', mon: '*', dow: '*', user: 'root', command: 'nightly' }

export const saveJob = (target: CronTarget, fields: Partial<CronFields> | Record<string, string> = {}): Promise<Said> =>
  post(target, `/servers/${target.id}/savecronjob`, { ...nightly, ...fields })

const deleteJob = (target: CronTarget, line: string): Promise<Said> => post(target, `/servers/${target.id}/deletecronjob`, { line })

export async function listJobs(target: CronTarget): Promise<ListedJob[]> {
  const { status, body } = await get(target, `/servers/${target.id}/cronjobs`)
  expect({ status, success: body.success }).toEqual({ status: 200, success: true })
  for (const name of ['name', 'dns', 'host', 'ip', 'user', 'port']) expect(typeof body[name], name).toBe('string')
  return body.cronjobs as ListedJob[]
}

/** Only root's jobs: those of other system users do not matter here. */
export const rootJobs = async (target: CronTarget): Promise<ListedJob[]> => (await listJobs(target)).filter(({ user }) => user === 'root')

const done = { status: 200, body: { success: true } }

/** Refused because of exactly these fields. */
async function expectRefused(target: CronTarget, fields: Record<string, string>, why: string[]): Promise<void> {
  const { status, body } = await saveJob(target, fields)
  expect({ fields, status, code: body.code, why: Object.keys(body.fields ?? {}).sort() }).toEqual({
    fields,
    status: 422,
    code: 'invalid',
    why,
  })
}

const jobOf = ({ line: _, ...fields }: ListedJob): CronFields => fields

export async function proveCron(target: CronTarget): Promise<void> {
  expect(await rootJobs(target)).toEqual([])
  expect(await saveJob(target, {})).toMatchObject(done)
  const [first] = await rootJobs(target)
  expect(first).toEqual({ ...nightly, line: expect.stringMatching(/^root:/) })
  // An existing job is not added again, however often it is saved.
  for (const said of await Promise.all([saveJob(target, {}), saveJob(target, {})])) expect(said).toMatchObject(done)
  expect(await rootJobs(target)).toEqual([first])

  const commands = ['date +%F >"/tmp/a b" \'c\'', 'echo "100%" | sed s/%/\\\\%/', 'true $(id) `id` && a || b; # $HOME', 'zażółć 🦊\tx']
  for (const command of commands) expect(await saveJob(target, { command })).toMatchObject(done)
  expect(await saveJob(target, { minute: '@daily', hour: '', dom: '', mon: '', dow: '' })).toMatchObject(done)
  expect(await saveJob(target, { minute: '*/5', hour: '1-5', dom: '1,15', mon: 'jan-mar', dow: 'fri-sun' })).toMatchObject(done)
  const jobs = await rootJobs(target)
  expect(jobs.slice(1, 5).map(({ command }) => command)).toEqual(commands)
  expect(jobs.slice(5).map(jobOf)).toEqual([
    { ...nightly, minute: '@daily', hour: '', dom: '', mon: '', dow: '' },
    { ...nightly, minute: '*/5', hour: '1-5', dom: '1,15', mon: 'jan-mar', dow: 'fri-sun' },
  ])
  expect(new Set(jobs.map(({ line }) => line)).size).toBe(jobs.length)
  await proveCronRefusals(target)
  expect(await rootJobs(target)).toEqual(jobs)
  await proveCronDeletion(target, jobs)
}

async function proveCronRefusals(target: CronTarget): Promise<void> {
  const refused: [fields: Record<string, string>, why: string[]][] = [
    [{ minute: '61' }, ['minute']],
    [{ hour: '24' }, ['hour']],
    [{ dom: '32' }, ['dom']],
    [{ mon: 'xyz' }, ['mon']],
    [{ dow: '8' }, ['dow']],
    [{ minute: '5/10' }, ['minute']],
    [{ minute: '', hour: '' }, ['hour', 'minute']],
    [{ minute: '@never', hour: '', dom: '', mon: '', dow: '' }, ['minute']],
    [{ minute: '@daily' }, ['minute']],
    [{ hour: '1 2', dow: '*\n* * * * * evil' }, ['dow', 'hour']],
    [{ command: '' }, ['command']],
    [{ command: 'one\ntwo' }, ['command']],
    [{ command: 'one\r' }, ['command']],
    [{ command: 'date +\\%F' }, ['command']],
    [{ command: 'x'.repeat(999) }, ['command']],
    [{ user: 'nobody-of-that-name' }, ['user']],
    [{ user: '-u' }, ['user']],
    [{ before: '' }, ['before']],
    [{ before: 'root' }, ['before']],
    [{ before: 'other:aaaaaaaaaaaaaaaa' }, ['before']],
  ]
  for (const [fields, why] of refused) await expectRefused(target, fields, why)
  const stale = { status: 409, body: { code: 'changed_meanwhile' } }
  expect(await saveJob(target, { command: 'x', before: 'root:aaaaaaaaaaaaaaaa' })).toMatchObject(stale)
  const { command: _, ...incomplete } = nightly
  expect(await post(target, `/servers/${target.id}/savecronjob`, incomplete)).toMatchObject({ status: 422, body: { code: 'invalid' } })
  const absent = { ...target, id: 'no-such-server' }
  for (const said of [
    await saveJob(absent, {}),
    await deleteJob(absent, 'root:aaaaaaaaaaaaaaaa'),
    await get(target, '/servers/no-such-server/cronjobs'),
  ])
    expect(said).toMatchObject({ status: 404, body: { code: 'not_found' } })
}

async function proveCronDeletion(target: CronTarget, jobs: readonly ListedJob[]): Promise<void> {
  const [first, second, ...rest] = jobs
  const line = first?.line ?? ''
  expect((await deleteJob(target, 'nonsense')).body).toMatchObject({ code: 'invalid', fields: { line: expect.any(String) } })
  const twice = await Promise.all([deleteJob(target, line), deleteJob(target, line)])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await deleteJob(target, line)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect(await rootJobs(target)).toEqual([second, ...rest])
  // To reverse a deletion, the job is saved before the one that followed it: it returns to its position.
  expect(await saveJob(target, { ...(first && jobOf(first)), before: second?.line ?? '' })).toMatchObject(done)
  expect(await rootJobs(target)).toEqual(jobs)
  const many = Array.from({ length: 20 }, (_, index) => `job ${index}`)
  for (const said of await Promise.all(many.map((command) => saveJob(target, { command })))) expect(said).toMatchObject(done)
  const all = await rootJobs(target)
  expect(
    all
      .slice(jobs.length)
      .map(({ command }) => command)
      .sort(),
  ).toEqual([...many].sort())
}
