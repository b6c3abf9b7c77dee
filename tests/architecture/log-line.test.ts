import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeLogLine } from '@/lib/log-line'
import { seededRuns } from '../support/seeds'

/** Everything a terminal or a viewer of logs would act on. */
const steering = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

const hostile = [
  'a\r\nlevel=30 msg="signed in"',
  'a\u2028b\u2029c',
  '\u001b[2J\u001b]0;title\u0007',
  '\u009b2J',
  '\u202egnp.exe',
  '\u0000',
  '\ud800 alone',
  '\u{e0041}',
  'x'.repeat(1_000_000),
  '\u202e'.repeat(1_000_000),
]

test('security 29: whatever is logged is one line of printable JSON, escaped and cut', () => {
  const script = `import { log } from './lib/log'
    for (const text of ${JSON.stringify(hostile)}) log.error({ name: text, [text.slice(0, 60)]: 1, err: new Error(text) }, text)`
  const written = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-'], {
    input: script,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    env: { ...process.env, LOG_LEVEL: 'info' },
  })
  const lines = written.split('\n')
  expect(lines.pop()).toBe('')
  expect(lines).toHaveLength(hostile.length)
  for (const line of lines) {
    expect(line.length).toBeLessThan(20_000)
    expect(steering.test(line)).toBe(false)
    expect(JSON.parse(line)).toMatchObject({ level: 50, msg: expect.any(String) })
  }
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: hostile[0], msg: hostile[0] })
})

test('security 29: no record of any shape becomes two lines, or loses its level and time', () => {
  const sign = fc.constantFrom('\n', '\r', '\u2028', '\u001b[1m', '\u009b', '\u202e', '"', '\\', '{', 'ü', '\u{1f600}', 'a'.repeat(3_000))
  const text = fc.oneof(
    fc.array(sign, { maxLength: 6 }).map((signs) => signs.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  )
  const property = fc.property(
    fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 4 }), fc.integer()), { maxKeys: 3 }),
    text,
    (more, msg) => {
      const line = encodeLogLine(`${JSON.stringify({ ...more, level: 30, time: '2026-11-21T10:00:00.000Z', msg })}\n`)
      expect(line.endsWith('\n')).toBe(true)
      expect(steering.test(line.slice(0, -1))).toBe(false)
      expect(line.length).toBeLessThan(20_000)
      expect(JSON.parse(line)).toMatchObject({ level: 30, time: '2026-11-21T10:00:00.000Z' })
    },
  )
  fc.assert(property, { numRuns: seededRuns(10_000) })
})
