/** Long tests that take turns: a daily run takes as many as it has time for, in an order that chance makes, and a soak takes all. */
import { randomInt } from 'node:crypto'

/** Groups of one subject each: a run takes one file of each group before it takes a second of any. */
export const turns = [
  // Sites on hosts.
  [
    'tests/hosts/sites.test.ts',
    'tests/hosts/sites-kept.test.ts',
    'tests/hosts/site-faults.test.ts',
    'tests/hosts/site-settings.test.ts',
    'tests/hosts/site-tenants.test.ts',
    'tests/hosts/ssl.test.ts',
  ],
  // A host from its first login to its deletion, in a browser.
  ['tests/browser/main-job.test.ts', 'tests/browser/site-story.test.ts'],
  // Pages of sites, on the sandbox and on foreign services.
  [
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
  // Servers with a life of their own.
  ['tests/hosts/lived-in/limited.test.ts', 'tests/hosts/lived-in/mod-php.test.ts', 'tests/hosts/lived-in/nginx.test.ts'],
]

/** @param {readonly string[]} files @returns {string[]} */
function shuffle(files) {
  const left = [...files]
  return files.flatMap(() => left.splice(randomInt(left.length), 1))
}

/** All files that take turns, in the order of this run. @returns {string[]} */
export function drawOrder() {
  const drawn = turns.map(shuffle)
  const longest = Math.max(...drawn.map(({ length }) => length))
  return Array.from({ length: longest }, (_, round) => drawn.flatMap((group) => group.slice(round, round + 1))).flat()
}
