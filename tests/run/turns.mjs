/**
 * Which tests on hosts and in a browser a daily run takes: some always, then as many of the others as it has time for, in an order that
 * chance makes. A soak takes all.
 */
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'

/** What every run takes: each way into the product, and what would hurt most if it broke. */
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
  'tests/hosts/conformance.test.ts',
  'tests/hosts/firewall.test.ts',
  'tests/hosts/install.test.ts',
  'tests/hosts/server-backups.test.ts',
  'tests/hosts/sites.test.ts',
  'tests/hosts/ssh.test.ts',
  'tests/launcher/backup.test.ts',
  'tests/launcher/up.test.ts',
]

/**
 * All other test files in these folders of `tests`, in the order of this run.
 * @param {readonly string[]} folders @returns {string[]}
 */
export function drawOthers(folders) {
  const left = folders
    .flatMap((folder) => readdirSync(`tests/${folder}`, { recursive: true, encoding: 'utf8' }).map((path) => `tests/${folder}/${path}`))
    .filter((path) => path.endsWith('.test.ts') && !always.includes(path))
  return Array.from({ length: left.length }, () => left.splice(randomInt(left.length), 1)).flat()
}
