/** ./gatehouse: which command runs, how it is used, and how it ends. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '@/lib/commands.mjs'
import { type BareProject, makeBareProject } from '../support/bare-project'

/** A project in which every program of a command prints what it was called with. */
function makeProject(): BareProject {
  const project = makeBareProject()
  project.write('lib/launcher/require-ready.mjs', '')
  mkdirSync(join(project.dir, 'node_modules'))
  symlinkSync(resolve('node_modules/tsx'), join(project.dir, 'node_modules/tsx'))
  return project
}

const echo = (name: string) => `console.log(JSON.stringify([${JSON.stringify(name)}, ...process.argv.slice(2)]))\n`

type Ended = { status: number | null; stdout: string; stderr: string }

function run(project: BareProject, args: readonly string[], { cwd = project.dir, env = {} } = {}): Ended {
  const { INIT_CWD: _, ...own } = process.env
  const { status, stdout, stderr } = spawnSync(join(project.dir, 'gatehouse'), args, { cwd, env: { ...own, ...env }, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test.each([
  [['owner', 'recover', 'a b@example.org'], 'lib/portal/entry/owner.ts', ['recover', 'a b@example.org']],
  [['users', 'list', '--json'], 'lib/portal/entry/users.ts', ['list', '--json']],
  [['keys', 'verify', '$(id)'], 'lib/portal/entry/keys.ts', ['verify', '$(id)']],
  [['keys', '--service', 'create', '--account', 'portal'], 'lib/service/keys.ts', ['create', '--account', 'portal']],
  [['keys', '--service', 'rotate'], 'lib/service/keys.ts', ['rotate']],
  [['keys', 'list', '--service'], 'lib/service/keys.ts', ['list']],
  [['backup', '/backups/today', '--keys', '/keys'], 'lib/backup/command.ts', ['backup', '/backups/today', '--keys', '/keys']],
  [['backup', 'verify', '/b/one', '--identity=/id'], 'lib/backup/verify-command.ts', ['/b/one', '--identity=/id']],
  [['restore', '/backups/today'], 'lib/backup/command.ts', ['restore', '/backups/today']],
  [['rollback', 'portal', '--yes'], 'lib/rollback/command.ts', ['portal', '--yes']],
])('gatehouse %j runs its program with the arguments as they are', (args, source, expected) => {
  using project = makeProject()
  project.write(source, echo(source))
  expect(run(project, args)).toEqual({ status: 0, stdout: `${JSON.stringify([source, ...expected])}\n`, stderr: '' })
})

test('the folder of a backup is meant from where the command was called, also through a link', () => {
  using project = makeProject()
  project.write('lib/backup/command.ts', 'console.log([process.cwd(), ...process.argv.slice(2)].join(" "))')
  mkdirSync(join(project.dir, 'elsewhere'))
  symlinkSync(join(project.dir, 'gatehouse'), join(project.dir, 'elsewhere/link'))
  const cwd = join(project.dir, 'elsewhere')
  const { stdout } = spawnSync(join(cwd, 'link'), ['backup', 'today', '--keys=other'], {
    cwd,
    env: { ...process.env, INIT_CWD: '' },
    encoding: 'utf8',
  })
  expect(stdout).toBe(`${project.dir} backup ${cwd}/today --keys=${cwd}/other\n`)
})

test('INIT_CWD counts only where npm runs scripts, and not where it was inherited from something else', () => {
  using project = makeProject()
  project.write('lib/backup/command.ts', 'console.log(process.argv.slice(2).join(" "))')
  mkdirSync(join(project.dir, 'elsewhere'))
  const env = { INIT_CWD: '/somewhere' }
  expect(run(project, ['backup', 'today'], { env }).stdout).toBe('backup /somewhere/today\n')
  const cwd = join(project.dir, 'elsewhere')
  expect(run(project, ['backup', 'today'], { cwd, env }).stdout).toBe(`backup ${cwd}/today\n`)
})

test('a command ends as its program does, and a signal reaches it', async () => {
  using project = makeProject()
  project.write('lib/portal/entry/users.ts', 'process.exit(7)')
  expect(run(project, ['users', 'list']).status).toBe(7)
  project.write('lib/portal/entry/keys.ts', 'process.on("SIGTERM", () => process.exit(9)); setInterval(() => {}, 1000); console.log("up")')
  const child = spawn(join(project.dir, 'gatehouse'), ['keys', 'verify'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((done) => child.once('close', done))
  await new Promise((done) => child.stdout.once('data', done))
  child.kill('SIGTERM')
  expect(await ended).toBe(9)
})

test.each(['up', 'portal', 'service'])('gatehouse %s starts without npm, and takes no arguments', (name) => {
  using project = makeProject()
  project.write(`lib/launcher/${name}.mjs`, `console.log('${name} runs')`)
  project.writeProgram('npm', 'echo npm was called; exit 1')
  const env = { PATH: `${join(project.dir, 'bin')}:${process.env.PATH}` }
  expect(run(project, [name], { env })).toEqual({ status: 0, stdout: `${name} runs\n`, stderr: '' })
  expect(run(project, [name, 'now'], { env })).toEqual({ status: 2, stdout: '', stderr: `Usage: gatehouse ${name}\n` })
})

test.each([
  ['rolback', 'rollback'],
  ['key', 'keys'],
  ['user', 'users'],
  ['Version', 'version'],
  ['ownner', 'owner'],
])('gatehouse %s names the nearest command, %s, and ends with 2', (given, meant) => {
  using project = makeProject()
  expect(run(project, [given])).toEqual({
    status: 2,
    stdout: '',
    stderr: `gatehouse has no command "${given}". Did you mean ${meant}? gatehouse --help lists them.\n`,
  })
})

test.each(['toString', 'something', '', '--verbose'])('gatehouse %j is none of the commands, and none is near', (given) => {
  using project = makeProject()
  expect(run(project, [given])).toMatchObject({ status: 2, stdout: '', stderr: expect.not.stringContaining('Did you mean') })
})

test('the overview names every command, on standard output if it was asked for', () => {
  using project = makeProject()
  const { status, stdout } = run(project, ['--help'])
  expect(status).toBe(0)
  for (const name of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  expect(run(project, [])).toEqual({ status: 2, stdout: '', stderr: stdout })
})

test.each(Object.keys(commands))('gatehouse %s --help shows its use and runs nothing', (name) => {
  using project = makeProject()
  expect(run(project, [name, '--help'])).toEqual({ status: 0, stdout: expect.stringMatching(`^Usage: gatehouse ${name}`), stderr: '' })
})

test('the version is for people or for scripts', () => {
  using project = makeProject()
  expect(run(project, ['version']).stdout).toBe(`Gatehouse 1.0.0, Node ${process.version}\n`)
  expect(JSON.parse(run(project, ['version', '--json']).stdout)).toEqual({ version: '1.0.0', node: process.version })
  expect(run(project, ['version', 'all']).status).toBe(2)
})

test('without Node it says what to install', () => {
  using project = makeProject()
  for (const tool of ['readlink', 'dirname', 'sh']) {
    const path = join(project.dir, 'tools', tool)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `#!/bin/sh\nexec /usr/bin/${tool} "$@"\n`)
    chmodSync(path, 0o755)
  }
  expect(run(project, ['version'], { env: { PATH: join(project.dir, 'tools') } })).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('Install Node 20.19 or newer'),
  })
})

test('the npm scripts of the same names run the same commands', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = Object.keys(commands).filter((name) => name in scripts)
  expect(named).toEqual(['up', 'portal', 'service', 'owner', 'users', 'keys', 'backup', 'restore', 'rollback', 'prune'])
  for (const name of named) expect(scripts[name]).toBe(`exec node lib/launcher/gatehouse.mjs ${name}`)
  expect(scripts['service:keys']).toBe('exec node lib/launcher/gatehouse.mjs keys --service')
})

/** With the access that a file of settings may have, whatever the umask is. */
function writeSettings(project: BareProject, path: string, text: string, mode = 0o644): void {
  project.write(path, text)
  chmodSync(join(project.dir, path), mode)
}

const printSettings =
  'const { MAIL_FROM, PORT, GATEHOUSE_SETTINGS } = process.env; console.log(JSON.stringify({ MAIL_FROM, PORT, GATEHOUSE_SETTINGS }))'

test.each([
  [['--settings', 'own.env', 'users', 'list'], {}],
  [['users', 'list', '--settings', 'own.env'], {}],
  [['users', '--settings=own.env', 'list'], {}],
  [['users', 'list'], { GATEHOUSE_SETTINGS: 'own.env' }],
])('gatehouse %j with %j takes settings from the file, which is never run, and the environment wins', (args, env) => {
  using project = makeProject()
  project.write('lib/portal/entry/users.ts', printSettings)
  writeSettings(
    project,
    'elsewhere/own.env',
    `MAIL_FROM=Gatehouse <a@b>\nPORT=3100\nA=$(touch ${project.dir}/executed)\ntouch ${project.dir}/executed\n`,
  )
  const file = join(project.dir, 'elsewhere/own.env')
  const at = { cwd: join(project.dir, 'elsewhere') }
  const said = `${file}, line 4: This line is ignored: it is neither NAME=VALUE nor a comment.\n`
  const settings = { MAIL_FROM: 'Gatehouse <a@b>', PORT: '3100', GATEHOUSE_SETTINGS: file }
  expect(run(project, args, { ...at, env })).toEqual({ status: 0, stdout: `${JSON.stringify(settings)}\n`, stderr: said })
  expect(JSON.parse(run(project, args, { ...at, env: { ...env, PORT: '' } }).stdout)).toEqual({ ...settings, PORT: '' })
  expect(project.has('executed')).toBe(false)
})

test('a byte order mark is told, because systemd does not take the line after it', () => {
  using project = makeProject()
  project.write('lib/portal/entry/users.ts', printSettings)
  writeSettings(project, 'own.env', '\ufeffPORT=3100\nMAIL_FROM=a@b\n')
  const { status, stdout, stderr } = run(project, ['users', 'list', '--settings', 'own.env'])
  expect([status, JSON.parse(stdout), stderr]).toEqual([
    0,
    { MAIL_FROM: 'a@b', GATEHOUSE_SETTINGS: join(project.dir, 'own.env') },
    expect.stringContaining('line 1: This line is ignored: the file begins with a byte order mark'),
  ])
})

test('a file of settings that cannot be read stops every command, as only the administrator can mend it', () => {
  using project = makeProject()
  project.write('lib/launcher/up.mjs', 'console.log("started")')
  writeSettings(project, 'binary.env', 'A=\0')
  const missing = { status: 78, stdout: '', stderr: `The settings file ${project.dir}/none.env cannot be read (ENOENT).\n` }
  expect(run(project, ['up', '--settings', 'none.env'])).toEqual(missing)
  expect(run(project, ['up', '--settings', 'binary.env'])).toMatchObject({ status: 78, stderr: expect.stringContaining('not text') })
  expect(run(project, ['up', '--settings'])).toEqual({ status: 2, stdout: '', stderr: 'Usage: gatehouse COMMAND --settings FILE\n' })
})

test.each([
  ['PORT=3100', 0o664, /can be written by other users \(mode 0664\): run chmod go-w on it/],
  ['PORT=3100', 0o602, /can be written by other users/],
  ['GATEHOUSE_KEK=aGVsbG8=', 0o640, /sets GATEHOUSE_KEK and is accessible to other users \(mode 0640\): run chmod 0600 on it/],
  ['SMTP_URL=smtp://me:hunter2@mail.example.org', 0o604, /sets a password in SMTP_URL and is accessible to other users/],
])('a file of settings with %j and mode %i is refused, also by the check', (text, mode, message) => {
  using project = makeProject()
  project.write('lib/launcher/up.mjs', 'console.log("started")')
  writeSettings(project, 'own.env', text, mode)
  const file = join(project.dir, 'own.env')
  const { status, stdout, stderr } = run(project, ['up', '--settings', 'own.env'])
  expect([status, stdout, stderr]).toEqual([78, '', expect.stringMatching(message)])
  expect(stderr).not.toContain('hunter2')
  expect(checkConfig(['--settings', file])).toMatchObject({ status: 78, stdout: '', stderr })
  chmodSync(file, 0o600)
  expect(run(project, ['up', '--settings', 'own.env'])).toMatchObject({ status: 0, stdout: 'started\n', stderr: '' })
})

test.skipIf(process.getuid?.() !== 0)('a file of settings of another user is refused, and one of root is not', () => {
  using project = makeProject()
  project.write('lib/launcher/up.mjs', 'console.log("started")')
  writeSettings(project, 'own.env', 'PORT=3100')
  chownSync(join(project.dir, 'own.env'), 12_345, 12_345)
  const said = `The settings file ${project.dir}/own.env belongs to another user: only root and the user who runs Gatehouse may own it.\n`
  expect(run(project, ['up', '--settings', 'own.env'])).toEqual({ status: 78, stdout: '', stderr: said })
  chownSync(join(project.dir, 'own.env'), 0, 0)
  expect(run(project, ['up', '--settings', 'own.env']).status).toBe(0)
})

const checkConfig = (args: string[]) => spawnSync(resolve('gatehouse'), ['config', 'check', ...args], { encoding: 'utf8' })

test('gatehouse config check names a file that it cannot read as any command does, and for scripts', () => {
  const message = 'The settings file /nowhere/own.env cannot be read (ENOENT).'
  expect(checkConfig(['--settings', '/nowhere/own.env'])).toMatchObject({ status: 78, stdout: '', stderr: `${message}\n` })
  const { status, stdout, stderr } = checkConfig(['--json', '--settings', '/nowhere/own.env'])
  expect([status, JSON.parse(stdout), stderr]).toEqual([
    78,
    { ok: false, file: '/nowhere/own.env', problems: [{ line: null, message }], notes: [] },
    '',
  ])
})

test('gatehouse config check ends with 1 if something is wrong, for people and for scripts', () => {
  using project = makeBareProject()
  writeSettings(project, 'own.env', 'PORT=3100\nMAILFROM=Gatehouse <a@b>\n')
  const file = join(project.dir, 'own.env')
  const message = 'MAILFROM is not a setting and has no effect. Did you mean MAIL_FROM?'
  expect(checkConfig(['--settings', file])).toMatchObject({ status: 1, stdout: `${file}, line 2: ${message}\n`, stderr: '' })
  const { status, stdout } = checkConfig(['--json', '--settings', file])
  expect([status, JSON.parse(stdout)]).toEqual([1, { ok: false, file, problems: [{ line: 2, message }], notes: [] }])
  writeSettings(project, 'own.env', 'PORT=3100\n')
  expect(checkConfig(['--settings', file])).toMatchObject({ status: 0, stdout: 'The settings are valid.\n' })
  expect(spawnSync(resolve('gatehouse'), ['config', 'test'], { encoding: 'utf8' })).toMatchObject({
    status: 2,
    stderr: 'Usage: gatehouse config check [--settings FILE] [--json]\n',
  })
})
