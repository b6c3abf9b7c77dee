/**
 * Which tests on hosts and in a browser a daily run takes: some always, and of the others as many as it has time for. A soak takes all.
 */
import { readdirSync } from 'node:fs'
import { orderOfTurns, readClock, submissionsUntil, turnsAtOnce } from './rotation.mjs'
import { changedFiles, touchedTests } from './touched.mjs'

/**
 * What every run takes: each way into the product, and what would hurt most if it broke: other people's sites read, what an archive holds
 * followed, an app that does not work, a server that locks Gatehouse out, a backup that is none.
 */
export const always = [
  'tests/browser/journey.test.ts',
  'tests/browser/keyboard.test.ts',
  'tests/browser/pages.test.ts',
  'tests/browser/security-doors.test.ts',
  'tests/browser/security-permissions.test.ts',
  'tests/browser/security-streams.test.ts',
  'tests/browser/security.test.ts',
  'tests/browser/sites.test.ts',
  'tests/browser/team.test.ts',
  'tests/hosts/apps.test.ts',
  'tests/hosts/conformance.test.ts',
  'tests/hosts/firewall.test.ts',
  'tests/hosts/install.test.ts',
  'tests/hosts/server-backups.test.ts',
  'tests/hosts/site-restores.test.ts',
  'tests/hosts/site-tenants.test.ts',
  'tests/hosts/sites.test.ts',
  'tests/hosts/ssh.test.ts',
  'tests/launcher/backup.test.ts',
  'tests/launcher/up.test.ts',
]

/** Once the whole run has taken so many minutes, fewer files begin together, and later none. */
const minutesForBatches = 40
const minutesForTurns = 50

/** How many files begin together after so many minutes: a batch that begins late has to be a short one. @param {number} minutes */
export function filesAtOnce(minutes) {
  if (minutes < minutesForBatches) return turnsAtOnce
  return minutes < minutesForTurns ? 2 : 0
}

/** The test files in some folders of `tests`, sorted. @param {readonly string[]} folders */
const testFiles = (folders) =>
  folders
    .flatMap((folder) => readdirSync(`tests/${folder}`, { recursive: true, encoding: 'utf8' }).map((path) => `tests/${folder}/${path}`))
    .filter((path) => path.endsWith('.test.ts'))
    .sort()

/** What a run takes of some folders of `tests`. @param {readonly string[]} folders */
export function planTurns(folders) {
  const files = testFiles(folders)
  const first = files.filter((file) => always.includes(file))
  const others = files.filter((file) => !always.includes(file))
  const touched = touchedTests(others, changedFiles())
  const clock = readClock()
  return {
    first,
    turns: orderOfTurns(others, touched, clock),
    intent: `${first.length} of ${files.length} test files on hosts and in browsers run now. The other ${others.length} take turns, first those \
that recent changes concern (${touched.flat().length}), and no more begin after minute ${minutesForTurns}. The last lines name what had no turn, and \
within how many submissions (of ${clock.perSubmission} ${clock.counted}) it will. npm run soak takes all.`,
    noTurn: (/** @type {readonly string[]} */ left) =>
      left.map((file) => `${file} (within ${submissions(submissionsUntil(others, file, clock))})`),
  }
}

/** @param {number} count */
const submissions = (count) => `${count} submission${count === 1 ? '' : 's'}`
