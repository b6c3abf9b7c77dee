/** Which test files on hosts and in browsers the newest change concerns: they have their turns first. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git } from './git.mjs'

/**
 * Parts of the product by words in the paths of their files, and the tests that use them. Both sides are matched in lower case.
 * @type {readonly { code: RegExp, tests: RegExp }[]}
 */
export const subjects = [
  { code: /ssl|certificate|acme|renew/, tests: /ssl|certificate/ },
  { code: /mail/, tests: /mail/ },
  { code: /backup|archive|restor|download/, tests: /backup|restore|full-disk/ },
  { code: /\/apps?[/.-]|staging|rewrite|exchange/, tests: /apps?[.-]|staging|site-restores/ },
  { code: /sites\/.*(database|tables|routines|exchange)/, tests: /database|staging|site-restores/ },
  { code: /confine|php|sftp|logins|\/web\.|apache|sites\/files|\/state\//, tests: /tenants|injection|kept|sftp|site-settings|lived-in/ },
  { code: /debian\/sites\/|sandbox\/.*site/, tests: /hosts\/site|two-accounts/ },
  { code: /settings|hostname/, tests: /settings|deployed/ },
  { code: /cron/, tests: /cron/ },
  { code: /firewall|ufw|ports/, tests: /firewall|ufw/ },
  { code: /debian\/.*accounts?|users/, tests: /users?[.-]|two-accounts/ },
  { code: /service\/(ssh|locks|listen|body)|admission|host-key/, tests: /admission|odd-hosts|authority|lab\.|server-state|uninstalled/ },
  { code: /\/install|\/steps\/|\/runs\//, tests: /install|main-job|lived-in|reboot/ },
  { code: /\/logs?[/.-]/, tests: /logs/ },
  { code: /servers?\//, tests: /browser\/.*server/ },
  { code: /app\/.*sites|subjects\/(sites|aliases)|alias|dns/, tests: /browser\/.*(site|alias)/ },
  { code: /identity|sign-in|account|passkey|second-factor|session|\(public\)/, tests: /sign-|second|passkey|account|session|forgot|reset/ },
  { code: /team|invit|member|access/, tests: /team|member|invitation|grant|session/ },
  { code: /connection|upstream|\/keys|contract|host-keys/, tests: /connection|foreign|keys/ },
  { code: /undo|activity|audit|\/jobs|overwrite|revert/, tests: /undo|together|job|story/ },
  { code: /notification|findings/, tests: /notifications/ },
  { code: /history|sampl/, tests: /history|server-pages/ },
  { code: /lib\/(launcher|release|rollback|backup|database)|^prisma|upgrade/, tests: /launcher\/|upgrade/ },
  { code: /app\/_(ui|shared)/, tests: /browser\/(table|not-found|kept-parts|server-tables|site-keyboard)/ },
  { code: /portal\/entry/, tests: /security|not-found/ },
]

/** The commit since which changes count: where the branch left its upstream, or else what was there a day ago. */
function changesSince() {
  const head = git('rev-parse', 'HEAD')
  const starts = [
    git('merge-base', 'HEAD', '@{upstream}') || git('merge-base', 'HEAD', 'origin/HEAD'),
    git('rev-list', '-1', '--before=24 hours ago', 'HEAD'),
    git('rev-parse', '--verify', 'HEAD~1'),
  ]
  return starts.find((start) => start !== '' && start !== head) ?? 'HEAD'
}

/** The files that the newest change touched, also those not yet committed. */
export const changedFiles = () => git('diff', '--name-only', changesSince()).split('\n').filter(Boolean)

/** The files of `tests` that a file imports, directly or through others. @param {string} file @param {Set<string>} [seen] */
function importsOf(file, seen = new Set()) {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const target = join(dirname(file), path)
    const found = ['', '.ts', '.tsx', '.mjs'].map((end) => `${target}${end}`).find((name) => existsSync(name) && statSync(name).isFile())
    if (found === undefined || seen.has(found)) continue
    seen.add(found)
    importsOf(found, seen)
  }
  return seen
}

/**
 * Those of some test files that a change concerns: first where it touches them or what they import, then where it touches code that they test.
 * @param {readonly string[]} tests @param {readonly string[]} changed @returns {[string[], string[]]}
 */
export function touchedTests(tests, changed) {
  const own = new Set(changed.filter((path) => path.startsWith('tests/')))
  const code = changed.filter((path) => /^(app|lib|prisma)\//.test(path)).map((path) => path.toLowerCase())
  const concerned = subjects.filter((subject) => code.some((path) => subject.code.test(path)))
  const near = tests.filter((test) => own.has(test) || [...importsOf(test)].some((file) => own.has(file)))
  return [near, tests.filter((test) => !near.includes(test) && concerned.some((subject) => subject.tests.test(test)))]
}
