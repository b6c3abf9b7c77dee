/** Counting tests over all parts. */

/**
 * @typedef {{ passed: number, failed: number, skipped: number, leftOut?: string, failures?: string[], secondTries?: string[],
 *   noTurn?: string[] }} Tally
 * leftOut: why the part did not run on this machine. failures: what failed, a line each.
 * secondTries: what passed only when it was tried again, a line each. noTurn: the test files that this run had no time for, a line each.
 */

/** @type {Tally} */
export const nothing = { passed: 0, failed: 0, skipped: 0 }
/** @type {Tally} */
export const passedOnce = { ...nothing, passed: 1 }
/** @type {Tally} */
export const failedOnce = { ...nothing, failed: 1 }

/** @param {string} reason @returns {Tally} */
export const leftOut = (reason) => ({ ...nothing, leftOut: reason })

/** @param {Tally} one @param {Tally} other @returns {Tally} */
export const add = (one, other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
})

/** @param {Tally} tally */
export const summaryLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/** @param {string} name @param {string} reason */
export const leftOutLine = (name, reason) => `left out: ${name} (${reason})`

/**
 * Reads vitest's JSON report. A file that failed outside its tests, and an end that the tests do not account for (an error
 * nobody caught, a crash), count as a failure each, so that nothing broken looks whole.
 * @param {unknown} report the parsed report, or null when vitest left none
 * @param {number | null} code how vitest ended
 * @returns {Tally}
 */
export function readReport(report, code) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = /** @type {Record<string, unknown>} */ (
    report ?? {}
  )
  if (typeof numPassedTests !== 'number' || !Array.isArray(testResults)) return failedOnce
  const broken = testResults.filter(({ status, assertionResults }) => {
    const failures = assertionResults.filter((/** @type {{ status: string }} */ result) => result.status === 'failed')
    return status === 'failed' && failures.length === 0
  }).length
  const failed = Number(numFailedTests) + broken
  return {
    passed: numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: Number(numPendingTests) + Number(numTodoTests),
  }
}

/**
 * The part of vitest's JSON report that tells of the files in some folders of `tests`, counted again.
 * @param {unknown} report as for readReport
 * @param {readonly string[]} folders
 */
export function reportOf(report, folders) {
  const all = /** @type {{ testResults?: FileResult[] } | null} */ (report)?.testResults
  if (!Array.isArray(all)) return null
  return countTests(all.filter(({ name }) => folders.some((folder) => shortPath(name).startsWith(`tests/${folder}/`))))
}

/**
 * The parts of vitest's JSON report that are read here, for these files.
 * @param {readonly FileResult[]} testResults
 */
export function countTests(testResults) {
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const count = (/** @type {string[]} */ ...of) => statuses.filter((status) => of.includes(status)).length
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    testResults,
  }
}

/**
 * The report with the messages of hooks that failed, which vitest leaves out of it.
 * @param {{ testResults: readonly FileResult[] }} report
 * @param {Record<string, string>} hooks the message by the path of the file
 */
export const addHookErrors = (report, hooks) => ({
  ...report,
  testResults: report.testResults.map((file) => ({ ...file, message: file.message || (hooks[file.name] ?? '') })),
})

/**
 * What failed in vitest's JSON report, a line each with the first line of why: said again at the end, where the whole output
 * is too long to look through.
 * @param {unknown} report as for readReport
 * @returns {string[]}
 */
export function failureLines(report) {
  const files = /** @type {{ testResults?: FileResult[] } | null} */ (report)?.testResults ?? []
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${shortPath(name)}: ${firstLine(message)}`]
    return failed.map(({ fullName, failureMessages }) => `${shortPath(name)} > ${fullName}: ${firstLine(failureMessages[0])}`)
  })
}

/**
 * An error that no test or hook caught, as a line: in which file, since which test, and what.
 * @param {{ message: string, name?: string, VITEST_TEST_PATH?: unknown, VITEST_TEST_NAME?: unknown }} error as vitest gives it
 */
export function outsideLine({ message, name = 'Error', VITEST_TEST_PATH: path, VITEST_TEST_NAME: test }) {
  const place = [typeof path === 'string' ? shortPath(path) : '', typeof test === 'string' ? `after ${test}` : ''].filter(Boolean)
  return `outside all tests: ${[...place, `${name}: ${firstLine(message)}`].join(': ')}`
}

/**
 * Tests, and files with their hooks, that passed only when they were tried again (second-try.mjs), a line each with why they had to be.
 * @param {unknown} report as for readReport
 * @returns {string[]}
 */
export function secondTryLines(report) {
  const files = /** @type {{ testResults?: FileResult[] } | null} */ (report)?.testResults ?? []
  return files.flatMap(({ name, status, message, assertionResults }) => [
    ...(status === 'passed' && message ? [`${shortPath(name)}: ${firstLine(message)}`] : []),
    ...assertionResults
      .filter((result) => result.status === 'passed' && result.failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => `${shortPath(name)} > ${fullName}: ${firstLine(failureMessages[0])}`),
  ])
}

/**
 * @typedef {{
 *   name: string, status: string, message?: string | undefined,
 *   assertionResults: { status: string, fullName: string, failureMessages: string[] }[]
 * }} FileResult
 */

/** @param {string} path */
export const shortPath = (path) => path.slice(Math.max(0, path.lastIndexOf('/tests/') + 1))

/** @param {string | undefined} text */
const firstLine = (text) => (text ?? '').split('\n', 1)[0]?.slice(0, 300) ?? ''
