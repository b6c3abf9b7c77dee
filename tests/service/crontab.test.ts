import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canBeSaved } from '@/lib/crontab/line'
import { createCron, type Written } from '@/lib/service/machines/cron'
import {
  hasJob,
  jobsOf,
  parseCrontab,
  placeOfJob,
  renderCrontab,
  textOfJob,
  userOfLine,
  withLine,
  withoutLine,
} from '@/lib/service/machines/crontab'
import { parseComplaint } from '@/lib/service/machines/debian/changes/crontab'
import { parseCrontabOf, parseCrontabs } from '@/lib/service/machines/debian/facts/crontabs'

const job = { minute: '30', hour: '4', dom: '*', mon: '*', dow: '*', command: 'nightly' }

/** A typical crontab. */
const fixture = `# m h  dom mon dow   command
SHELL=/bin/bash
MAILTO = "ops@example.net"

0 3 * * 1-5 /usr/local/bin/backup --to "/srv/b c" >/dev/null 2>&1
  @reboot sleep 30 && /opt/start
#5 * * * * off
30 4 * * * nightly
30 4 * * * nightly
`

const line = fc.oneof(
  fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)) }),
  fc.constantFrom(...fixture.split('\n'), '* * * * * x%y', '@daily\tx'),
)
const text = fc.tuple(fc.array(line), fc.constantFrom('', '\n', '\n\n')).map(([lines, end]) => lines.join('\n') + end)

test('any crontab is rendered with the bytes it was read from', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(renderCrontab(parseCrontab(one))).toBe(one)
    }),
    { numRuns: 1000 },
  )
})

test('a job is added as one line at the end; removing it restores everything except a missing last line feed', () => {
  fc.assert(
    fc.property(text, fc.string({ minLength: 1 }), (one, word) => {
      const before = parseCrontab(one)
      const fresh = { ...job, command: `added ${Buffer.from(word).toString('hex')}` }
      const after = withLine(before, textOfJob(fresh), before.lines.length)
      const whole = one === '' || one.endsWith('\n') ? one : `${one}\n`
      expect(renderCrontab(after)).toBe(`${whole}30 4 * * * ${fresh.command}\n`)
      expect([hasJob(before, fresh), hasJob(after, fresh)]).toEqual([false, true])
      const added = placeOfJob('root', after, jobsOf('root', after).at(-1)?.line ?? '')
      expect(added).toBe(before.lines.length)
      expect(renderCrontab(withoutLine(after, added ?? 0))).toBe(whole)
    }),
  )
})

test('every job can be removed by its line, and no other line is removed with it', () => {
  const crontab = parseCrontab(fixture)
  const jobs = jobsOf('root', crontab)
  expect(jobs.map(({ command }) => command)).toEqual([
    '/usr/local/bin/backup --to "/srv/b c" >/dev/null 2>&1',
    'sleep 30 && /opt/start',
    'nightly',
    'nightly',
  ])
  const [, , one, other] = jobs
  expect(other?.line).toBe(`${one?.line}.2`)
  for (const known of jobs) {
    expect(userOfLine(known.line)).toBe('root')
    const place = placeOfJob('root', crontab, known.line) ?? -1
    expect(crontab.lines[place]?.job).toMatchObject({ command: known.command })
    const left = withoutLine(crontab, place)
    expect(left.lines).toEqual(crontab.lines.filter((_, index) => index !== place))
  }
  expect(placeOfJob('deploy', crontab, one?.line ?? '')).toBeNull()
})

test.each([
  '',
  'root',
  'root:',
  'root:short',
  '../x:',
  'a b:aaaaaaaaaaaaaaaa',
  'root:aaaaaaaaaaaaaaaa\n',
  `${'x'.repeat(65)}:aaaaaaaaaaaaaaaa`,
])('%j is not a valid line id', (text) => {
  expect(userOfLine(text)).toBeNull()
})

test('bytes that are not UTF-8 are preserved, and a command in UTF-8 is listed as text', () => {
  const printed = `root\t${Buffer.from('# caf\xe9\n30 4 * * * \xc5\xbc\n', 'latin1').toString('base64')}\nbroken\n`
  const [one, ...rest] = parseCrontabs(printed)
  expect(rest).toEqual([])
  expect(Buffer.from(one?.text ?? '', 'latin1').toString('base64')).toBe(printed.split(/\s/)[1])
  expect(jobsOf('root', parseCrontab(one?.text ?? ''))).toMatchObject([{ command: 'ż' }])
})

test.each([
  ['"-":1: bad minute\nerrors in crontab file, can\'t install.\n', { kind: 'refused', why: 'bad minute', place: 1 }],
  ['"-":0: bad day-of-week\n', { kind: 'refused', why: 'bad day-of-week', place: 0 }],
  ['"-":2: bad hour\n', { kind: 'refused', why: 'bad hour', place: 2 }],
  ['"-":3: bad hour\n', { kind: 'refused', why: 'bad hour', place: 2 }],
  ['"-":3: command too long\n', { kind: 'refused', why: 'command too long', place: 2 }],
  ['"-":2: bad command\n', { kind: 'refused', why: 'bad command', place: 2 }],
  ['No space left on device\n', null],
])('cron’s messages are parsed: %j', (said, complaint) => {
  expect(parseComplaint(said, 'A=b\n5 4 * * * true\n5\n* * * * * true\n')).toEqual(complaint)
})

// As Debian's cron says it: the number of the line itself, or that of the next where it had read the line to its end.
test.each([
  ['0~30 * * * * x', 1],
  ['0? 1? * * * x', 1],
  ['9-3 * * * * x', 1],
  ['* * * * *', 1],
  ['@daily', 1],
  ['@daily x', 1],
  ['* * 1-', 0],
  ['* * * * 8', 0],
  ['@never', 0],
])('after the line %j, cron’s complaint about the second line is about the line with the index %i', (before, place) => {
  const said = before === '@never' ? 'bad time specifier' : 'bad day-of-week'
  expect(parseComplaint(`"-":1: ${said}\n`, `${before}\n* * * * nonday x\n`)).toEqual({ kind: 'refused', why: said, place })
})

/** A server on which another program changes root's crontab just before each write, `busy` times. */
function machineWith(text: string, { busy = 0, verdict = { kind: 'done' } as Written } = {}) {
  const state = { text, busy, removed: '' }
  const cron = createCron({
    readAll: async () => [{ user: 'root', text: state.text, whole: true }],
    read: async (user) => (user === 'root' ? { text: state.text, removed: state.removed } : null),
    write: async (_, before, after) => {
      if (state.busy-- > 0) state.text += '# somebody else\n'
      if (state.text !== before) return { kind: 'changed' }
      if (verdict.kind === 'done') Object.assign(state, after)
      return verdict
    },
  })
  return { state, cron }
}

test('a simultaneous edit loses nothing, and a lock that is never released is not waited for', async () => {
  const { state, cron } = machineWith('A=b\n', { busy: 2 })
  await cron.save('root', job)
  expect(state.text).toBe('A=b\n# somebody else\n# somebody else\n30 4 * * * nightly\n')
  const never = machineWith('', { busy: 100 })
  await expect(never.cron.save('root', job)).rejects.toMatchObject({ problem: { code: 'changed_meanwhile' } })
})

test('what cron refuses is reported by field, or by line number for an existing line', async () => {
  const own = machineWith('A=b\n', { verdict: { kind: 'refused', why: 'bad hour', place: 1 } })
  await expect(own.cron.save('root', job)).rejects.toMatchObject({ problem: { fields: { hour: expect.stringMatching(/bad hour/) } } })
  const other = machineWith('bad\n', { verdict: { kind: 'refused', why: 'bad minute', place: 0 } })
  await expect(other.cron.save('root', job)).rejects.toMatchObject({
    problem: { code: 'invalid', sentence: expect.stringMatching(/line 1, bad minute/) },
  })
  await expect(own.cron.save('nobody', job)).rejects.toMatchObject({
    problem: { fields: { user: expect.stringMatching(/no user nobody/) } },
  })
})

test('the reported number of an existing line is its number in the current crontab, whatever was added or removed', async () => {
  const text = '5 4 * * * first\nA=b\nbad\n'
  const refused = (place: number) => ({ kind: 'refused', why: 'bad minute', place }) as const
  const deleting = machineWith(text, { verdict: refused(1) }).cron
  const [first] = (await deleting.list()).jobs
  const lineThree = { problem: { sentence: expect.stringMatching(/line 3, bad minute/) } }
  await expect(deleting.delete(first?.line ?? '')).rejects.toMatchObject(lineThree)
  const restoring = machineWith('A=b\nx\nbad\n', { verdict: refused(3) })
  restoring.state.removed = JSON.stringify([{ user: 'root', text: '5 4 * * * first', before: [], after: ['A=b'] }])
  await expect(restoring.cron.save('root', { ...job, minute: '5', command: 'first' })).rejects.toMatchObject(lineThree)
})

test('a carriage return at the end of a line stays in the crontab but not in the command, also when the job is restored', async () => {
  const text = 'A=b\r\n30 4 * * * nightly\r\n\r\n@daily x\r\n'
  const { state, cron } = machineWith(text)
  const { jobs } = await cron.list()
  expect(jobs.map(({ command }) => command)).toEqual(['nightly', 'x'])
  await cron.save('root', { ...job, command: 'new' })
  expect(state.text).toBe(`${text}30 4 * * * new\n`)
  await cron.delete(jobs[0]?.line ?? '')
  expect(state.text).toBe(`${text.replace('30 4 * * * nightly\r\n', '')}30 4 * * * new\n`)
  await cron.save('root', job)
  expect(state.text).toBe(`${text}30 4 * * * new\n`)
})

test('of too many jobs the first ones are listed, with the system users whose jobs are missing', async () => {
  const many = Array.from({ length: 10_001 }, (_, n) => `* * * * * ${n}\n`).join('')
  const { jobs, partial } = await machineWith(many).cron.list()
  expect([jobs.length, partial]).toEqual([10_000, ['root']])
  const cut = parseCrontabs(`root\t${Buffer.from('* * * * * one\n* * * * * tw').toString('base64')}\tcut\n`)
  expect(cut).toEqual([{ user: 'root', text: '* * * * * one\n', whole: false }])
})

test('records of removed jobs follow the crontab, and either part may be empty', () => {
  const base64 = (one: string) => Buffer.from(one).toString('base64')
  expect(parseCrontabOf(`${base64('A=b\n')}\n${base64('[]')}`)).toEqual({ text: 'A=b\n', removed: '[]' })
  expect(parseCrontabOf('\n')).toEqual({ text: '', removed: '' })
})

test('a removed job is restored to its position byte for byte, wherever it was', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.nat(), async (one, nth) => {
      const whole = one === '' || one.endsWith('\n') ? one : `${one}\n`
      const { state, cron } = machineWith(whole)
      const { jobs } = await cron.list()
      const seen = jobs[nth % Math.max(1, jobs.length)]
      const alone = jobs.filter((other) => other.command.trimStart() === seen?.command.trimStart()).length === 1
      if (!seen || !alone || !canBeSaved(seen)) return
      await cron.delete(seen.line)
      expect(state.text).not.toBe(whole)
      await cron.save('root', seen, (await cron.list()).jobs[jobs.indexOf(seen)]?.line)
      expect(state.text).toBe(whole)
      expect(state.removed).toBe('[]')
    }),
  )
})

test('a job is inserted directly before the named one, or refused if that no longer exists', async () => {
  const { state, cron } = machineWith('A=b\n@daily x\n# about y\n@daily y\n')
  const [x, y] = (await cron.list()).jobs
  await cron.save('root', job, y?.line)
  expect(state.text).toBe('A=b\n@daily x\n# about y\n30 4 * * * nightly\n@daily y\n')
  await cron.delete(x?.line ?? '')
  const before = state.text
  await expect(cron.save('root', { ...job, command: 'z' }, x?.line)).rejects.toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect(state.text).toBe(before)
})

test('jobs added or removed meanwhile stay so; without any neighbour left a job is restored at the end', async () => {
  const { state, cron } = machineWith(fixture)
  const [, start] = (await cron.list()).jobs
  const comeBack = async (meanwhile: string) => {
    await cron.delete((await cron.list()).jobs.find(({ command }) => command === start?.command)?.line ?? '')
    state.text = meanwhile
    if (start) await cron.save('root', start)
    return state.text
  }
  const line = '  @reboot sleep 30 && /opt/start\n'
  expect(await comeBack('A=b\n#5 * * * * off\n@daily new\n')).toBe(`A=b\n${line}#5 * * * * off\n@daily new\n`)
  expect(await comeBack('A=b\n@daily new\n')).toBe(`A=b\n${line}@daily new\n`)
  expect(await comeBack('@daily other\n')).toBe(`@daily other\n${line}`)
  // Positions are kept for the last twenty only, and a malformed list counts as empty.
  for (let n = 0; n < 25; n += 1) await cron.save('root', { ...job, command: `filler ${n}` })
  for (const { line: id } of (await cron.list()).jobs) await cron.delete(id)
  expect(JSON.parse(state.removed)).toHaveLength(20)
  state.removed = '{"broken'
  await cron.save('root', job)
  expect(state.text).toBe('30 4 * * * nightly\n')
})
