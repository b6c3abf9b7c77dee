import { expect, test } from 'vitest'
import { secondTry } from './second-try.mjs'
import { failureLines, readReport, secondTryLines } from './tally.mjs'

const file = (name: string, ...statuses: string[]) => ({
  name: `/clone/tests/${name}.test.ts`,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, place) => ({
    status,
    fullName: `${name} ${place}`,
    failureMessages: status === 'failed' ? ['TimeoutError: too slow\n at here'] : [],
  })),
})
const run = (...testResults: ReturnType<typeof file>[]) => ({
  report: { testResults },
  status: testResults.some(({ status }) => status === 'failed') ? 1 : 0,
  uncaught: [],
})
const never = () => expect.unreachable('nothing was to be run again')

test('a failed file runs again from its start, and each of its tests counts once', () => {
  const asked: unknown[] = []
  const { report, status } = secondTry(run(file('a', 'passed'), file('b', 'failed', 'failed', 'passed')), (files) => {
    asked.push(files)
    return run(file('b', 'passed', 'failed', 'passed'))
  })
  expect(asked).toEqual([['tests/b.test.ts']])
  expect(readReport(report, status)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  expect(secondTryLines(report)).toEqual(['tests/b.test.ts > b 0: TimeoutError: too slow'])
  expect(failureLines(report)).toEqual(['tests/b.test.ts > b 1: TimeoutError: too slow'])
})

test('a file that could not be loaded, and then could, has passed, and is named', () => {
  const { report, status } = secondTry(run({ ...file('a'), status: 'failed', message: 'no host' }), () => run(file('a', 'passed')))
  expect(readReport(report, status)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(secondTryLines(report)).toEqual(['tests/a.test.ts: no host'])
})

test('nothing runs again where nothing failed, where much did, or where something failed outside all tests', () => {
  const many = Array.from({ length: 9 }, (_, place) => file(`many-${place}`, 'failed'))
  const uncaught = { ...run(file('a', 'failed')), uncaught: ['tests/a.test.ts: Error: late'] }
  const crashed = { report: null, status: 1, uncaught: [] }
  for (const first of [run(file('a', 'passed')), run(...many), { ...run(file('a', 'passed')), status: 1 }, uncaught, crashed])
    expect(secondTry(first, never)).toBe(first)
})

test('a second run without a report leaves the first as it was', () => {
  const first = run(file('a', 'failed'))
  expect(secondTry(first, () => ({ report: null, status: null, uncaught: [] }))).toBe(first)
})
