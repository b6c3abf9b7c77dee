import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCron, type Written } from '@/lib/service/machines/cron'
import { jobsOf, parseCrontab, renderCrontab, userOfLine, withJob, withoutJob } from '@/lib/service/machines/crontab'
import { parseComplaint } from '@/lib/service/machines/debian/changes/crontab'
import { parseCrontabs } from '@/lib/service/machines/debian/facts/crontabs'

const job = { minute: '30', hour: '4', dom: '*', mon: '*', dow: '*', command: 'nightly' }

/** A crontab as people have them. */
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

test('any crontab is rendered as the bytes it was read from', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(renderCrontab(parseCrontab(one))).toBe(one)
    }),
    { numRuns: 1000 },
  )
})

test('a job is added as one line at the end, and taken out again it leaves what was there, its last line feed apart', () => {
  fc.assert(
    fc.property(text, fc.string({ minLength: 1 }), (one, word) => {
      const before = parseCrontab(one)
      const fresh = { ...job, command: `added ${Buffer.from(word).toString('hex')}` }
      const after = withJob(before, fresh)
      const whole = one === '' || one.endsWith('\n') ? one : `${one}\n`
      expect(renderCrontab(after)).toBe(`${whole}30 4 * * * ${fresh.command}\n`)
      expect(withJob(after, fresh)).toBe(after)
      const added = jobsOf('root', after).at(-1)?.line ?? ''
      expect(renderCrontab(withoutJob('root', after, added) ?? before)).toBe(whole)
    }),
  )
})

test('every job of a crontab can be taken out by its line and no other line goes with it', () => {
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
    const left = withoutJob('root', crontab, known.line)
    expect(left?.lines).toEqual(crontab.lines.filter((candidate) => left?.lines.includes(candidate)))
    expect(left?.lines).toHaveLength(crontab.lines.length - 1)
  }
  expect(withoutJob('deploy', crontab, one?.line ?? '')).toBeNull()
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
])('%j is no line of ours', (text) => {
  expect(userOfLine(text)).toBeNull()
})

test('bytes that are no UTF-8 come back, and a command in UTF-8 is told as text', () => {
  const printed = `root\t${Buffer.from('# caf\xe9\n30 4 * * * \xc5\xbc\n', 'latin1').toString('base64')}\nbroken\n`
  const [one, ...rest] = parseCrontabs(printed)
  expect(rest).toEqual([])
  expect(Buffer.from(one?.text ?? '', 'latin1').toString('base64')).toBe(printed.split(/\s/)[1])
  expect(jobsOf('root', parseCrontab(one?.text ?? ''))).toMatchObject([{ command: 'ż' }])
})

test.each([
  ['"-":1: bad minute\nerrors in crontab file, can\'t install.\n', { kind: 'refused', why: 'bad minute', place: 1 }],
  ['"-":0: bad day-of-week\n', { kind: 'refused', why: 'bad day-of-week', place: 0 }],
  ['"-":3: command too long\n', { kind: 'refused', why: 'command too long', place: 2 }],
  ['"-":2: bad command\n', { kind: 'refused', why: 'bad command', place: 2 }],
  ['No space left on device\n', null],
])('what cron says is understood: %j', (said, complaint) => {
  expect(parseComplaint(said)).toEqual(complaint)
})

/** A machine whose crontab of root somebody else changes just before each write, `busy` times. */
function machineWith(text: string, { busy = 0, verdict = { kind: 'done' } as Written } = {}) {
  const state = { text, busy }
  const cron = createCron({
    readAll: async () => [{ user: 'root', text: state.text }],
    read: async (user) => (user === 'root' ? state.text : null),
    write: async (_, before, after) => {
      if (state.busy-- > 0) state.text += '# somebody else\n'
      if (state.text !== before) return { kind: 'changed' }
      if (verdict.kind === 'done') state.text = after
      return verdict
    },
  })
  return { state, cron }
}

test('somebody who edits at the same moment loses nothing, and whoever never lets go is not waited for', async () => {
  const { state, cron } = machineWith('A=b\n', { busy: 2 })
  await cron.save('root', job)
  expect(state.text).toBe('A=b\n# somebody else\n# somebody else\n30 4 * * * nightly\n')
  const never = machineWith('', { busy: 100 })
  await expect(never.cron.save('root', job)).rejects.toMatchObject({ problem: { code: 'changed_meanwhile' } })
})

test('what cron refuses is told by the field, or by the line where it was there before', async () => {
  const own = machineWith('A=b\n', { verdict: { kind: 'refused', why: 'bad hour', place: 1 } })
  await expect(own.cron.save('root', job)).rejects.toMatchObject({ problem: { fields: { hour: expect.stringMatching(/bad hour/) } } })
  const other = machineWith('bad\n', { verdict: { kind: 'refused', why: 'bad minute', place: 0 } })
  await expect(other.cron.save('root', job)).rejects.toMatchObject({
    problem: { code: 'invalid', sentence: expect.stringMatching(/line 1, bad minute/) },
  })
  await expect(own.cron.save('nobody', job)).rejects.toMatchObject({
    problem: { fields: { user: expect.stringMatching(/no account nobody/) } },
  })
})
