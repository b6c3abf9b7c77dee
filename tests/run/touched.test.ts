/** Which tests a change concerns, and which changes count. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { subjects, touchedTests } from './touched.mjs'

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
const tests = ['hosts', 'browser', 'launcher']
  .flatMap((folder) => filesBelow(`tests/${folder}`))
  .filter((file) => file.endsWith('.test.ts'))

test('each subject has code and tests', () => {
  const code = ['app', 'lib', 'prisma'].flatMap(filesBelow).map((path) => path.toLowerCase())
  for (const subject of subjects) {
    expect([`${subject.code}`, code.some((path) => subject.code.test(path))]).toEqual([`${subject.code}`, true])
    expect([`${subject.tests}`, tests.some((path) => subject.tests.test(path))]).toEqual([`${subject.tests}`, true])
  }
})

test('a change concerns the test that it touches, and those that import what it touches, also through other helpers', () => {
  const [own] = touchedTests(tests, ['tests/hosts/cron.test.ts'])
  expect(own).toEqual(['tests/hosts/cron.test.ts'])
  const [through] = touchedTests(tests, ['tests/hosts/lab/gateway.ts'])
  expect(through).toContain('tests/hosts/cron.test.ts')
  expect(through).not.toContain('tests/launcher/dev.test.ts')
})

test.each([
  ['lib/service/machines/debian/sites/mail-server.bash', 'tests/hosts/email.test.ts'],
  ['lib/service/machines/debian/sites/certificate.bash', 'tests/hosts/ssl.test.ts'],
  ['lib/service/machines/debian/sites/staging/rewrite.php', 'tests/hosts/staging.test.ts'],
  ['app/(portal)/sites/[siteId]/ssl/page.tsx', 'tests/browser/site-ssl.test.ts'],
  ['lib/service/machines/debian/changes/crontab.bash', 'tests/hosts/cron.test.ts'],
  ['lib/portal/identity/passkeys/add.ts', 'tests/browser/passkeys.test.ts'],
  ['lib/launcher/up.mjs', 'tests/launcher/upgrade.test.ts'],
])('a change of %s concerns %s', (path, file) => {
  const [near, far] = touchedTests(tests, [path])
  expect(near).toEqual([])
  expect(far).toContain(file)
})

test('documents concern no test', () => {
  expect(touchedTests(tests, ['README.md', 'docs/sites.md'])).toEqual([[], []])
})

/** What `expression` of this folder's modules gives in another folder. */
function evaluateIn(folder: string, module: string, expression: string, environment: NodeJS.ProcessEnv = process.env): unknown {
  const script = `import * as it from '${join(process.cwd(), 'tests/run', module)}'\nprocess.stdout.write(JSON.stringify(${expression}))`
  return JSON.parse(
    spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env: environment, encoding: 'utf8' }).stdout,
  )
}

/** A repository with a commit of each age, in days. */
function repository(...ages: number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-changes-'))
  const git = (args: readonly string[], age = 0) => {
    const at = `${Math.floor(Date.now() / 1000 - age * 86_400)} +0000`
    const env = { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at, GIT_CONFIG_GLOBAL: '/dev/null' }
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { env, stdio: 'ignore' })
  }
  git(['init', '-b', 'main'])
  for (const [place, age] of ages.entries()) {
    writeFileSync(join(folder, `file-${place}`), 'text')
    git(['add', '.'])
    git(['commit', '-m', `${place}`], age)
  }
  return { folder, git, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
const changesIn = (folder: string) => evaluateIn(folder, 'touched.mjs', 'it.changedFiles()')

test('what a branch has beyond its upstream counts as changed; else what is a day old at most; else the last commit', () => {
  using days = repository(9, 3, 0.5, 0.1)
  expect(changesIn(days.folder)).toEqual(['file-2', 'file-3'])
  days.git(['branch', 'upstream', 'HEAD~1'])
  days.git(['branch', '--set-upstream-to=upstream'])
  writeFileSync(join(days.folder, 'file-0'), 'not committed')
  expect(changesIn(days.folder)).toEqual(['file-0', 'file-3'])
  using old = repository(9, 5, 3)
  expect(changesIn(old.folder)).toEqual(['file-2'])
  using single = repository(9)
  expect(changesIn(single.folder)).toEqual([])
})

test('commits are counted where they are known, and days where history is shallow or there is no git', () => {
  using known = repository(9, 5, 3)
  expect(evaluateIn(known.folder, 'rotation.mjs', 'it.readClock()')).toMatchObject({ counted: 'commits', count: 3, perStep: 60 })
  const shallow = join(known.folder, 'shallow')
  execFileSync('git', ['clone', '--depth', '1', `file://${known.folder}`, shallow], { stdio: 'ignore' })
  expect(evaluateIn(shallow, 'rotation.mjs', 'it.readClock()')).toMatchObject({ counted: 'days', perStep: 1 })
  const without = { ...process.env, PATH: '/nowhere' }
  expect(evaluateIn(known.folder, 'rotation.mjs', 'it.readClock()', without)).toMatchObject({ counted: 'days', perStep: 1 })
  expect(evaluateIn(known.folder, 'touched.mjs', 'it.changedFiles()', without)).toEqual([])
})
