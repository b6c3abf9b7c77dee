/** The command of a release with the files that a release has for it, and a program in place of the service. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commands } from '@/lib/commands.mjs'
import { programs } from '@/lib/programs.mjs'
import { commandFiles } from '@/lib/release/contents.mjs'
import { makeBareProject } from '../support/bare-project'

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-command-')))
const root = join(dir, 'release')
for (const file of commandFiles) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  cpSync(file, join(root, file))
}
const sayWhatItGot =
  'console.log(JSON.stringify({ cwd: process.cwd(), port: process.env.SERVICE_PORT, file: process.env.GATEHOUSE_SETTINGS }))\n'
const echo = (name: string) => `console.log(JSON.stringify([${JSON.stringify(name)}, process.cwd(), ...process.argv.slice(2)]))\n`
mkdirSync(join(root, 'programs'))
for (const name of Object.keys(programs)) writeFileSync(join(root, `programs/${name}.mjs`), echo(name))
writeFileSync(join(root, 'programs/service-main.mjs'), sayWhatItGot)
writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
writeFileSync(join(root, 'release.json'), JSON.stringify({ version: '1.2.3', commit: 'abc', programs: 'programs' }))
writeFileSync(join(dir, 'settings.env'), 'SERVICE_PORT=4321\nnonsense\n')
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Called in the folder beside the release. */
const run = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [join(root, 'lib/release/command.mjs'), ...args], {
    encoding: 'utf8',
    cwd: dir,
    env: env as unknown as NodeJS.ProcessEnv,
  })

const file = join(dir, 'settings.env')

test.each([
  { how: 'the option', args: ['service', '--settings', 'settings.env'], env: {} },
  { how: 'the option before the command', args: ['--settings=settings.env', 'service'], env: { GATEHOUSE_SETTINGS: 'other.env' } },
  { how: 'the variable', args: ['service'], env: { GATEHOUSE_SETTINGS: 'settings.env' } },
])('$how names a file of settings, from the folder where the command was called', ({ args, env }) => {
  const { stdout, stderr } = run(args, env)
  expect(stderr).toBe(`${file}, line 2: This line is ignored: it is neither NAME=VALUE nor a comment.\n`)
  expect(JSON.parse(stdout)).toEqual({ cwd: root, port: '4321', file })
})

test('what the environment sets wins, and without a file nothing is taken', () => {
  expect(JSON.parse(run(['service', '--settings', 'settings.env'], { SERVICE_PORT: '1' }).stdout)).toMatchObject({ port: '1' })
  expect(JSON.parse(run(['service']).stdout)).toEqual({ cwd: root })
})

test('a file that cannot be read ends it with 78', () => {
  const stderr = `The settings file ${join(dir, 'missing.env')} cannot be read (ENOENT).\n`
  expect(run(['service', '--settings', 'missing.env'])).toMatchObject({ status: 78, stderr, stdout: '' })
  expect(run(['service'], { GATEHOUSE_SETTINGS: 'missing.env' })).toMatchObject({ status: 78, stderr, stdout: '' })
})

test('it shows how each command is used, and its version for people or for scripts', () => {
  expect(run(['up', '--help']).stdout).toContain('Usage: gatehouse up\n')
  expect(run(['version']).stdout).toBe(`Gatehouse 1.2.3 (commit abc), Node ${process.version}\n`)
  expect(JSON.parse(run(['version', '--json']).stdout)).toEqual({ version: '1.2.3', node: process.version, commit: 'abc' })
  expect(run(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('  portal ') })
})

test.each([
  [[]],
  [['version', '--json', 'now']],
  [['service', 'now']],
  [['prune', 'now']],
  [['version', 'all']],
  [['service', '--settings']],
])('%j is refused with the usage', (args) =>
  expect(run(args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('Usage:') }),
)

const clone = makeBareProject()
clone.write('lib/launcher/require-ready.mjs', '')
mkdirSync(join(clone.dir, 'node_modules'))
symlinkSync(resolve('node_modules/tsx'), join(clone.dir, 'node_modules/tsx'))
for (const [name, source] of Object.entries(programs)) clone.write(source, echo(name))
afterAll(() => clone[Symbol.dispose]())

/** Called in the same folder, which relative folders are meant from. */
function runBoth(args: string[]) {
  const env = {} as NodeJS.ProcessEnv
  const commandLines = { [realpathSync(clone.dir)]: 'lib/launcher/gatehouse.mjs', [root]: 'lib/release/command.mjs' }
  return Object.entries(commandLines).map(([at, command]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(at, command), ...args], { encoding: 'utf8', cwd: dir, env })
    return { status, stdout: stdout.replaceAll(at, 'ROOT'), stderr }
  })
}

test.each([
  { args: ['owner', 'recover', 'a b@example.org'], runs: ['portal-owner ROOT recover a b@example.org'] },
  { args: ['users', 'list', '--json'], runs: ['portal-users ROOT list --json'] },
  { args: ['keys', 'verify', '$(id)'], runs: ['portal-keys ROOT verify $(id)'] },
  { args: ['keys', '--service', 'create', '--account', 'x'], runs: ['service-keys ROOT create --account x'] },
  { args: ['backup', 'today', '--keys=other'], runs: [`backup ROOT backup ${dir}/today --keys=${dir}/other`] },
  { args: ['setup', 'today.json'], runs: [`portal-setup ROOT ${dir}/today.json`] },
  { args: ['setup', '-', '--json'], runs: ['portal-setup ROOT - --json'] },
  { args: ['restore', 'today'], runs: [`backup ROOT restore ${dir}/today`] },
  { args: ['rollback', 'portal', '--yes'], runs: ['rollback ROOT portal --yes'] },
  { args: ['prune'], runs: ['portal-prune ROOT', 'service-prune ROOT'] },
  { args: ['config', 'check', '--json'], runs: ['launcher-config ROOT check --json'] },
])('a clone and a release run $args alike', ({ args, runs }) => {
  const [inClone, inRelease] = runBoth(args)
  expect(inClone).toMatchObject({ status: 0, stderr: '' })
  const ran = inClone?.stdout.trim().split('\n')
  expect(ran?.map((line) => JSON.parse(line).join(' '))).toEqual(runs)
  expect(inRelease).toEqual(inClone)
})

test.each([[[]], [['--help']], ...Object.keys(commands).map((name) => [[name, '--help']]), [['rolback']], [['up', 'now']]])(
  'a clone and a release answer %j alike',
  (args) => {
    const [inClone, inRelease] = runBoth(args)
    expect(inClone?.stdout || inClone?.stderr).toContain('gatehouse')
    expect(inRelease).toEqual(inClone)
  },
)
