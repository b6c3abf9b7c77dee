import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandRefusal, isWritable, type Job, readLine, writeLine } from '@/lib/crontab/line'
import { nicknames } from '@/lib/crontab/times'

const nightly = { minute: '30', hour: '4', dom: '*', mon: '*', dow: '*' }

test.each([
  ['30 4 * * * nightly', { ...nightly, command: 'nightly' }],
  [' \t30  4\t*  * *   nightly  --all ', { ...nightly, command: 'nightly  --all ' }],
  ['@daily  x', { minute: '@daily', hour: '', dom: '', mon: '', dow: '', command: 'x' }],
  ['30 4 * * * date +\\%F', { ...nightly, command: 'date +%F' }],
  ['30 4 * * * mail root%hello%there', { ...nightly, command: 'mail root\nhello\nthere' }],
  ['30 4 * * * a \\\\% b \\$c', { ...nightly, command: 'a \\\\\n b \\$c' }],
  ['30 4 * * * A=1 b', { ...nightly, command: 'A=1 b' }],
])('%s is a job', (line, job) => {
  expect(readLine(line)).toEqual(job)
})

test.each([
  '',
  '   ',
  '# 30 4 * * * x',
  '  #x',
  'MAILTO=root',
  'PATH = /bin',
  '"A B" = c',
  "'* * * * *' = x",
  '30 4 * * *',
  '@daily',
  '@daily = x',
])('“%s” is no job', (line) => {
  expect(readLine(line)).toBeNull()
})

test.each([
  ['', /command/],
  [' \t', /command/],
  ['a\nb', /single line/],
  ['a\r', /single line/],
  ['a\u0000', /control character/],
  ['date +\\%F', /without a backslash/],
  ['x'.repeat(999), /998 bytes/],
  ['é'.repeat(500), /998 bytes/],
  ['%'.repeat(500), /998 bytes/],
])('the command %j is refused in words', (command, why) => {
  expect(commandRefusal(command)).toMatch(why)
})

const field = fc.stringMatching(/^[\w*,/~-]{1,10}$/)
const fields = fc.record({ minute: field, hour: field, dom: field, mon: field, dow: field })
const nickname = fc.constantFrom(...Object.keys(nicknames)).map((minute) => ({ minute, hour: '', dom: '', mon: '', dow: '' }))
const command = fc.string({
  unit: fc.oneof(fc.constantFrom('%', '\\', ' ', '"', "'", '=', '#', '@'), fc.string({ minLength: 1, maxLength: 1 })),
})
const job = fc.tuple(fc.oneof(fields, nickname), command).map(([times, text]): Job => ({ ...times, command: text }))

describe('any job that nothing is said against', () => {
  test('is read as it was written: what was typed is what the shell is given', () => {
    const check = fc.property(job, (one) => {
      fc.pre(commandRefusal(one.command) === null && isWritable(one))
      expect(readLine(writeLine(one))).toEqual({ ...one, command: one.command.replace(/^[ \t]+/, '') })
    })
    fc.assert(check, { numRuns: 500 })
  })

  test('is one line, and five fields with a plain command are always writable', () => {
    const check = fc.property(job, (one) => {
      fc.pre(commandRefusal(one.command) === null)
      expect(writeLine(one)).not.toMatch(/[\r\n]/)
      if (!one.minute.startsWith('@')) expect(isWritable(one)).toBe(true)
    })
    fc.assert(check, { numRuns: 500 })
  })
})
