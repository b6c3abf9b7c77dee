/** The command of a release with the files that a release has for it, and a program in place of the service. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commandFiles } from '@/lib/release/contents.mjs'

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-command-')))
const root = join(dir, 'release')
for (const file of commandFiles) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  cpSync(file, join(root, file))
}
const sayWhatItGot =
  'console.log(JSON.stringify({ cwd: process.cwd(), port: process.env.SERVICE_PORT, file: process.env.GATEHOUSE_SETTINGS }))\n'
mkdirSync(join(root, 'programs'))
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
  expect(run(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('gatehouse portal') })
})

test.each([[[]], [['toString']], [['owner', 'setup']], [['service', 'now']], [['version', 'all']], [['service', '--settings']]])(
  '%j is refused with the usage',
  (args) => expect(run(args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('Usage:') }),
)
