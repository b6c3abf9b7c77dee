/**
 * The order in which test files on hosts and in browsers take turns: docs/decisions/043-what-a-daily-run-takes.md. It follows from the
 * history alone, so that the same commit has the same order everywhere.
 */
import { git } from './git.mjs'

/** How many files begin together: three for each worker of two cores. */
export const turnsAtOnce = 6

/** Submissions of up to so many commits pass over no file. */
const commitsPerStep = 60

const goldenSection = (Math.sqrt(5) - 1) / 2

/** As many commits a submission has usually. A smaller one brings a file's turn nearer by less. */
const usualCommits = 30

/**
 * @typedef {{ counted: 'commits' | 'days', count: number, perStep: number, perSubmission: number }} Clock
 * counted: days where the number of commits is not known. perStep: after so many the sure turns move on.
 */

/** @returns {Clock} */
export function readClock() {
  const commits = git('rev-parse', '--is-shallow-repository') === 'false' ? Number(git('rev-list', '--count', 'HEAD')) : 0
  return commits > 0
    ? { counted: 'commits', count: commits, perStep: commitsPerStep, perSubmission: usualCommits }
    : { counted: 'days', count: Math.floor(Date.now() / 86_400_000), perStep: 1, perSubmission: 1 }
}

/** @template T @param {readonly T[]} list @param {number} place */
const beginAt = (list, place) => [...list.slice(place % list.length), ...list.slice(0, place % list.length)]

/**
 * The files whose turn is sure: the same six until the next step, which no submission passes over.
 * @param {readonly string[]} files @param {Clock} clock
 */
const sureTurns = (files, { count, perStep }) => beginAt(files, Math.floor(count / perStep) * turnsAtOnce).slice(0, turnsAtOnce)

/**
 * All files in the order of this run: some of those that a change touched, those whose turn is sure, the others that were touched, and the
 * rest. That begins further by the golden section of the list after each commit, which spreads submissions of any size over all of it.
 * @param {readonly string[]} files sorted @param {readonly (readonly string[])[]} touched the first group comes first @param {Clock} clock
 */
export function orderOfTurns(files, touched, clock) {
  const sure = sureTurns(files, clock)
  const rest = beginAt(files, Math.round(((clock.count * goldenSection) % 1) * files.length))
  const first = touched.flatMap((group) => rest.filter((file) => group.includes(file) && !sure.includes(file)))
  return [...new Set([...first.slice(0, turnsAtOnce), ...sure, ...first, ...rest])]
}

/**
 * Within how many submissions a file's sure turn comes, if they have as many commits as usual.
 * @param {readonly string[]} files sorted @param {string} file @param {Clock} clock
 */
export function submissionsUntil(files, file, clock) {
  for (let count = clock.count - (clock.count % clock.perStep) + clock.perStep; ; count += clock.perStep) {
    // The last commit at which the turn may come: a submission ends at one of those that belong to the step.
    if (sureTurns(files, { ...clock, count }).includes(file))
      return Math.ceil((count + clock.perStep - 1 - clock.count) / clock.perSubmission)
  }
}
