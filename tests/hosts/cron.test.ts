/** Cron on real hosts: all tests of a release share one host. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CronFields, type CronTarget, listJobs, nightly, proveCron, rootJobs, saveJob } from '../service/conformance/cron'
import { register } from '../service/conformance/servers'
import { post } from '../service/support/caller'
import { openTestService, type TestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { hostileTexts } from './hostile-texts'
import { type Host, startHost } from './lab/lab'
import { someDebians } from './releases'

const chance = openChance()

/** Writes exactly what it was given, a minute after it was saved. */
const lasting = 'printf "%s|" 100% "it\'s" "$(id -un)" "$(date +%Y | wc -c)" >begun && mv begun ran'

/** As bytes, so that no decoder affects the comparison. */
const crontabOf = async (host: Host, user = 'root'): Promise<Buffer> =>
  Buffer.from((await host.run(`crontab -l -u ${user} | base64 -w 0`)).stdout, 'base64')

async function putCrontab(host: Host, text: Buffer, user = 'root'): Promise<void> {
  expect(await host.run(`base64 -d | crontab -u ${user} -`, { stdin: text.toString('base64') })).toMatchObject({ code: 0 })
}

const clear = (host: Host) => host.run('crontab -r -u root')

/** A crontab as admins write it; the é of the second comment is Latin-1, not UTF-8. */
const foreign = Buffer.concat([
  Buffer.from('# by hand\nMAILTO = "ops@example.net"\n\n  */10\t*  * * *   /usr/bin/one  --flag "a b" \n# caf'),
  Buffer.from([0xe9]),
  Buffer.from('\nPATH=/usr/bin:/bin\n@reboot /usr/bin/two\n15 3 * * 0 mail -s "hi" root%a line%another\n#0 0 * * * off\n'),
])

describe.each(someDebians(chance))(`$debian SEED=${chance.seed}`, ({ release }) => {
  let host: Host
  let service: TestService
  let target: CronTarget
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'root-key' }, release })
    service = await openTestService()
    await host.run('useradd -m deploy; useradd -m other')
    const { id } = await register(service, { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }, 'cron')
    target = { ...service, id }
    // The lab uses this machine's clock: the next minute comes while the other tests run.
    await saveJob(target, { minute: '*', hour: '*', user: 'deploy', command: lasting })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  test('cron on a host passes the same conformance tests as the sandbox', async () => {
    await proveCron(target)
    await clear(host)
  })

  test('the list has every system user’s crontab, except those of deleted system users', async () => {
    await putCrontab(host, foreign)
    await putCrontab(host, Buffer.from('@hourly mine\n'), 'other')
    await host.run('cd /var/spool/cron/crontabs && cp other 0 && cp other gone')
    const jobs = (await listJobs(target)).filter(({ user }) => user !== 'deploy')
    expect(jobs.map(({ line: _, ...job }) => job)).toEqual([
      { user: 'other', minute: '@hourly', hour: '', dom: '', mon: '', dow: '', command: 'mine' },
      { user: 'root', minute: '*/10', hour: '*', dom: '*', mon: '*', dow: '*', command: '/usr/bin/one  --flag "a b" ' },
      { user: 'root', minute: '@reboot', hour: '', dom: '', mon: '', dow: '', command: '/usr/bin/two' },
      { user: 'root', minute: '15', hour: '3', dom: '*', mon: '*', dow: '0', command: 'mail -s "hi" root\na line\nanother' },
    ])
    await host.run('cd /var/spool/cron/crontabs && rm 0 gone other')
    await clear(host)
  })

  test('saving and deleting a job changes one line of crontab -l and no other byte', async () => {
    await putCrontab(host, foreign)
    expect(await saveJob(target, { command: 'printf \'%s\' "$HOME"' })).toMatchObject({ status: 200 })
    const added = Buffer.from('30 4 * * * printf \'\\%s\' "$HOME"\n')
    expect(await crontabOf(host)).toEqual(Buffer.concat([foreign, added]))
    const one = (await rootJobs(target)).find(({ command }) => command.startsWith('/usr/bin/one'))
    expect(await post(target, `/servers/${target.id}/deletecronjob`, { line: one?.line ?? '' })).toMatchObject({ status: 200 })
    const text = foreign.toString('latin1')
    const without = Buffer.from(text.replace(/^ {2}\*\/10.*\n/m, ''), 'latin1')
    expect(without.length).toBeLessThan(foreign.length)
    expect(await crontabOf(host)).toEqual(Buffer.concat([without, added]))
    // When restored, it is in its old position, among the lines that affect it, as it was written by hand.
    const { line: _, ...seen } = one ?? { ...nightly, line: '' }
    expect(await saveJob(target, seen)).toMatchObject({ status: 200 })
    expect(await crontabOf(host)).toEqual(Buffer.concat([foreign, added]))
    expect((await host.run('stat -c "%a %U" /var/lib/gatehouse/cron /var/lib/gatehouse/cron/removed')).stdout).toBe('700 root\n600 root\n')
    await clear(host)
  })

  test('a job that cron refuses is reported by field and changes nothing, also if an existing line is the cause', async () => {
    await putCrontab(host, foreign)
    expect((await saveJob(target, { dow: 'nonday' })).body).toMatchObject({ fields: { dow: 'Cron rejects this: bad day-of-week.' } })
    expect(await crontabOf(host)).toEqual(foreign)
    await host.run('sed -i "s/^15 3/99 3/" /var/spool/cron/crontabs/root')
    const broken = await crontabOf(host)
    const { status, body } = await saveJob(target, {})
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid' })
    expect(body.error).toMatch(/root’s crontab because of an invalid line: line 8, bad minute/)
    expect(await crontabOf(host)).toEqual(broken)
    await clear(host)
  })

  test('0~30 is accepted as cron accepts it, and is not blamed for the next line', async () => {
    expect(await saveJob(target, { minute: '0~30' })).toMatchObject({ status: 200 })
    expect((await saveJob(target, { minute: '~' })).body).toMatchObject({ fields: { minute: 'Cron rejects this: bad minute.' } })
    expect((await saveJob(target, { dow: 'nonday' })).body).toMatchObject({ fields: { dow: 'Cron rejects this: bad day-of-week.' } })
    expect((await rootJobs(target)).map(({ minute }) => minute)).toEqual(['0~30'])
    await clear(host)
  })

  test('security 59: two services at once lose no job, and a line that was edited meanwhile is never deleted', async () => {
    await using other = await openTestService()
    const login = { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }
    const { id } = await register(other, login, 'cron too')
    const targets = [target, { ...other, id }]
    const saved = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => saveJob(targets[n % 2] ?? target, { command: `job ${n}` })))
    expect(saved.map(({ status }) => status)).toEqual(saved.map(() => 200))
    const jobs = await rootJobs(target)
    expect(jobs.map(({ command }) => command).sort()).toEqual([1, 2, 3, 4, 5, 6].map((n) => `job ${n}`))
    await host.run('crontab -l | sed "1s/^30/31/" | crontab -')
    const before = await crontabOf(host)
    const said = await post(target, `/servers/${target.id}/deletecronjob`, { line: jobs[0]?.line ?? '' })
    expect(said).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
    expect(await crontabOf(host)).toEqual(before)
    await clear(host)
  })

  test('security 57: any value in any field of a job is refused or reaches the crontab byte for byte, and runs nothing', async () => {
    await host.run('rm -f /tmp/cron-marker')
    const mark = 'touch /tmp/cron-marker'
    const nasty = [
      ...hostileTexts(mark),
      '',
      `x\n* * * * * ${mark}`,
      '-u root',
      '%',
      `%${mark}`,
      '\\%',
      'it\'s "so"',
      '#',
      `${'x'.repeat(4096)}`,
      '=x',
      '@reboot',
    ]
    let before = await crontabOf(host)
    for (const field of Object.keys(nightly) as (keyof CronFields)[]) {
      for (const text of nasty) {
        const { status, body } = await saveJob(target, { [field]: text })
        if (status === 200) before = await expectKept(host, before, { ...nightly, [field]: text })
        else expect({ field, text, status, said: Object.keys(body.fields ?? {}) }).toEqual({ field, text, status: 422, said: [field] })
      }
      expect(await crontabOf(host)).toEqual(before)
    }
    expect(await host.run('ls /tmp/cron-marker')).toMatchObject({ code: 2 })
    await clear(host)
  })

  test('a job runs as its system user, with % and quotes as they were typed', async () => {
    const ran = () => host.run('cat /home/deploy/ran').then(({ stdout }) => stdout)
    await expect.poll(ran, { timeout: 75_000, interval: 500 }).toBe("100%|it's|deploy|5|")
  })
})

/** Expects that one line was added, which is the job, or none if it existed already. */
async function expectKept(host: Host, before: Buffer, { minute, hour, dom, mon, dow, command }: CronFields): Promise<Buffer> {
  const after = await crontabOf(host)
  const line = `${minute} ${hour} ${dom} ${mon} ${dow} ${command.replaceAll('%', '\\%')}\n`
  expect(after.subarray(0, before.length)).toEqual(before)
  const added = after.subarray(before.length).toString('utf8')
  if (added !== '') expect(added).toBe(line)
  else expect(before.toString('utf8')).toContain(line)
  return after
}
