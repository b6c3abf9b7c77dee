/** Long tests that take turns: of each group a daily run takes as many as it says, which chance picks, and a soak takes all. */
import { randomInt } from 'node:crypto'

/** @typedef {{ readonly take: number, readonly of: readonly string[] }} Turn */

/** @type {readonly Turn[]} */
export const turns = [
  // Sites on hosts.
  {
    take: 2,
    of: [
      'tests/hosts/sites.test.ts',
      'tests/hosts/sites-kept.test.ts',
      'tests/hosts/site-faults.test.ts',
      'tests/hosts/site-settings.test.ts',
      'tests/hosts/site-tenants.test.ts',
      'tests/hosts/ssl.test.ts',
    ],
  },
  // A host from its first login to its deletion, in a browser.
  { take: 1, of: ['tests/browser/main-job.test.ts', 'tests/browser/site-story.test.ts'] },
  // Servers with a life of their own.
  {
    take: 1,
    of: ['tests/hosts/lived-in/limited.test.ts', 'tests/hosts/lived-in/mod-php.test.ts', 'tests/hosts/lived-in/nginx.test.ts'],
  },
  // Pages of sites, on the sandbox and on foreign services.
  {
    take: 4,
    of: [
      'tests/browser/foreign-site-changes.test.ts',
      'tests/browser/foreign-site-pages.test.ts',
      'tests/browser/site-aliases.test.ts',
      'tests/browser/site-database.test.ts',
      'tests/browser/site-keyboard.test.ts',
      'tests/browser/site-logs.test.ts',
      'tests/browser/site-settings.test.ts',
      'tests/browser/site-ssl.test.ts',
      'tests/browser/sites.test.ts',
    ],
  },
]

/**
 * The files that this run leaves to others; none in a soak.
 * @param {boolean} isSoak @returns {string[]}
 */
export function leaveToOthers(isSoak) {
  if (isSoak) return []
  return turns.flatMap(({ take, of }) => {
    const left = [...of]
    for (let taken = 0; taken < take; taken += 1) left.splice(randomInt(left.length), 1)
    return left
  })
}
