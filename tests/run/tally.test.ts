import { expect, test } from 'vitest'
import {
  add,
  addHookErrors,
  failureLines,
  leftOut,
  leftOutLine,
  nothing,
  outsideLine,
  readReport,
  reportOf,
  secondTryLines,
  summaryLine,
} from './tally.mjs'

const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }

test('a whole report is counted as it stands', () => {
  expect(readReport(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 2 })
})

test('a run without a report has failed, whatever its exit code', () => {
  expect(readReport(null, 0).failed).toBe(1)
  expect(readReport({}, 0).failed).toBe(1)
})

test('an exit code that no failed test explains is a failure', () => {
  expect(readReport(report, 1).failed).toBe(1)
  expect(readReport(report, null).failed).toBe(1)
  expect(readReport({ ...report, numFailedTests: 2 }, 1).failed).toBe(2)
})

test('a test file that could not be loaded is a failure beside the failed tests of others', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ]
  expect(readReport({ ...report, numFailedTests: 1, testResults }, 1).failed).toBe(2)
})

test('the last line names skipped tests only when there are some', () => {
  expect(summaryLine(add({ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 1, skipped: 0 }))).toBe('3 passed, 1 failed')
  expect(summaryLine({ ...nothing, skipped: 4 })).toBe('0 passed, 0 failed, 4 skipped')
  expect(leftOutLine('hosts', leftOut('it needs root').leftOut ?? '')).toBe('left out: hosts (it needs root)')
})

test('what failed is named with its file and the first line of why, a file that could not be loaded too', () => {
  const passed = { status: 'passed', fullName: 'is fine', failureMessages: [] }
  const failed = { status: 'failed', fullName: 'adds two and two', failureMessages: ['AssertionError: expected 5 to be 4\n    at here'] }
  const testResults = [
    { name: '/home/you/gatehouse/tests/a.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] },
    { name: '/home/you/gatehouse/tests/b.test.ts', status: 'failed', message: 'Cannot find module\nsuch a one', assertionResults: [] },
    { name: '/home/you/gatehouse/tests/c.test.ts', status: 'passed', message: '', assertionResults: [passed] },
  ]
  expect(failureLines({ testResults })).toEqual([
    'tests/a.test.ts > adds two and two: AssertionError: expected 5 to be 4',
    'tests/b.test.ts: Cannot find module',
  ])
  expect(failureLines(null)).toEqual([])
})

test('an error that no test caught is named with its file and the test before it', () => {
  const error = { name: 'Error', message: 'route.continue: Route is already handled!\n at here' }
  expect(outsideLine({ ...error, VITEST_TEST_PATH: '/clone/tests/a.test.ts', VITEST_TEST_NAME: 'adds' })).toBe(
    'outside all tests: tests/a.test.ts: after adds: Error: route.continue: Route is already handled!',
  )
  expect(outsideLine({ message: 'gone' })).toBe('outside all tests: Error: gone')
})

test('a file whose hooks failed is named with the first line of why', () => {
  const skipped = { status: 'skipped', fullName: 'never ran', failureMessages: [] }
  const testResults = [
    { name: '/clone/tests/a.test.ts', status: 'failed', message: '', assertionResults: [skipped] },
    { name: '/clone/tests/b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
  ]
  const hooks = { '/clone/tests/a.test.ts': 'expected { status: failed }\n at here', '/clone/tests/b.test.ts': 'another' }
  expect(failureLines(addHookErrors({ testResults }, hooks))).toEqual([
    'tests/a.test.ts: expected { status: failed }',
    'tests/b.test.ts: Cannot find module',
  ])
})

test('what passed only when it was tried again is named too, and is no failure', () => {
  const once = { status: 'passed', fullName: 'is fine', failureMessages: [] }
  const again = { status: 'passed', fullName: 'takes its time', failureMessages: ['TimeoutError: 20000ms exceeded\n at here'] }
  const testResults = [{ name: '/home/you/gatehouse/tests/a.test.ts', status: 'passed', message: '', assertionResults: [once, again] }]
  expect(secondTryLines({ testResults })).toEqual(['tests/a.test.ts > takes its time: TimeoutError: 20000ms exceeded'])
  expect(failureLines({ testResults })).toEqual([])
  expect(secondTryLines(null)).toEqual([])
})

test('files that ran at the same time are counted per folder', () => {
  const file = (name: string, ...statuses: string[]) => ({
    name: `/clone/tests/${name}.test.ts`,
    status: 'passed',
    assertionResults: statuses.map((status) => ({ status, fullName: name, failureMessages: [] })),
  })
  const both = {
    testResults: [file('hosts/one', 'passed', 'skipped'), file('browser/two', 'passed', 'failed'), file('launcher/three', 'todo')],
  }
  expect(readReport(reportOf(both, ['hosts']), 0)).toEqual({ passed: 1, failed: 0, skipped: 1 })
  expect(readReport(reportOf(both, ['browser', 'launcher']), 0)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  expect(failureLines(reportOf(both, ['hosts']))).toEqual([])
  expect(readReport(reportOf(null, ['hosts']), 0).failed).toBe(1)
})
