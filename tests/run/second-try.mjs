/** Test files that failed run once more, alone and from their start: docs/decisions/015-a-second-try.md. */
import { countTests, shortPath } from './tally.mjs'

/** @typedef {import('./tally.mjs').FileResult} FileResult */
/**
 * @typedef {{ report: { testResults?: readonly FileResult[] } | null, status: number | null, uncaught: readonly string[] }} Run vitest's JSON report,
 * how vitest ended, and the errors that no test or hook caught, a line each
 */

/** More failures than these are no accident. */
const mostFiles = 8

/**
 * Runs the failed files of a run again, and puts their second results in place of the first. A test, or a file, that passes now keeps the
 * messages of its first failure, by which the tally recognises it. What happened outside all tests is not mended by another run.
 * @param {Run} first @param {(files: readonly string[]) => Run} runAgain
 * @returns {Run}
 */
export function secondTry(first, runAgain) {
  const files = first.report?.testResults ?? []
  const failed = files.filter(({ status }) => status === 'failed')
  if (first.uncaught.length > 0 || failed.length === 0 || failed.length > mostFiles) return first
  const second = runAgain(failed.map(({ name }) => shortPath(name)))
  const again = new Map((second.report?.testResults ?? []).map((file) => [file.name, file]))
  if (failed.some(({ name }) => !again.has(name))) return first
  return { ...second, report: countTests(files.map((file) => withFailures(again.get(file.name) ?? file, file))) }
}

/** @param {FileResult} newest @param {FileResult} former @returns {FileResult} */
function withFailures(newest, former) {
  const messagesOf = (/** @type {string} */ test) =>
    former.assertionResults.find(({ fullName }) => fullName === test)?.failureMessages ?? []
  const assertionResults = newest.assertionResults.map((result) =>
    result.status === 'passed' ? { ...result, failureMessages: messagesOf(result.fullName) } : result,
  )
  return { ...newest, message: newest.status === 'passed' ? former.message : newest.message, assertionResults }
}
