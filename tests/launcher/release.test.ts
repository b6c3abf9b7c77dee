/** A release: one archive that runs without Node and npm on the machine. Making it needs npm's registry, for the Node inside. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFolder } from '../../lib/launcher/build.mjs'
import { type Caller, createCaller } from '../browser/security/caller'
import { type ChildProgram, followProgram } from '../support/child-program'
import { makePlace, type Place } from '../support/gatehouse-process'
import { takeRelease } from '../support/own-release'
import { buildPlantedClosure } from '../support/planted-closure'
import { createVisitor } from '../support/portal-visitor'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
let archive = ''

/** Makes the release in a folder and returns the path of the archive. */
function pack(to: string): string {
  expect(spawnSync(process.execPath, ['lib/release/release.mjs', '--to', to], { stdio: 'inherit' }).status).toBe(0)
  return join(to, readdirSync(to).find((name) => name.endsWith('.tar.gz')) ?? '')
}

beforeAll(() => {
  archive = takeRelease(dir)
}, 900_000)

afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** The release in a new folder. */
function unpack(name: string): string {
  const folder = join(dir, name)
  mkdirSync(folder)
  expect(spawnSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']).status).toBe(0)
  return folder
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))

/** Starts a command of the release with nothing in PATH: the release has to bring every program. */
function start(folder: string, place: Place): ChildProgram {
  const child = spawn(join(folder, 'gatehouse'), ['up'], { env: { ...place.env, PATH: programs } as unknown as NodeJS.ProcessEnv })
  return followProgram(child)
}

/** Only what the shell script calls. */
const programs = join(dir, 'bin')
beforeAll(() => {
  mkdirSync(programs)
  for (const name of ['dirname', 'readlink']) expect(spawnSync('cp', [`/usr/bin/${name}`, programs]).status).toBe(0)
})

const linkIn = (output: string) => /http\S+\/setup\S+/.exec(output)?.[0] ?? ''

/** The hidden fields by which a form without scripts names its action. */
const actionFields = (page: string) => page.match(/name="\$ACTION_[^>]*>/g) ?? []

test('it is small, says what it contains, and has no source maps, no secrets and no place of its making', () => {
  expect(statSync(archive).size).toBeLessThan(150_000_000)
  const folder = unpack('contents')
  const { files, links } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const present = filesOf(folder).filter((name) => name !== 'manifest.json')
  expect([...Object.keys(files), ...Object.keys(links)].sort()).toEqual(present.sort())
  for (const name of present) {
    const file = join(folder, name)
    if (lstatSync(file).isSymbolicLink()) expect(readlinkSync(file)).toBe(links[name])
    else expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(files[name])
  }
  expect(
    present.filter((name) => /\.map$|\.d\.ts$|\.key$|^(keys|data)\/|^node_modules\/(sharp|typescript|esbuild|prisma)\//.test(name)),
  ).toEqual([])
  expect(present).toEqual(expect.arrayContaining(['LICENSE', 'node/LICENSE', 'licenses/zod@4.6.7/LICENSE']))
  const readable = present.filter((name) => /\.(js|mjs|json|html)$/.test(name) && !lstatSync(join(folder, name)).isSymbolicLink())
  expect(readable.filter((name) => readFileSync(join(folder, name), 'utf8').includes(`${process.cwd()}/`))).toEqual([])
  expect(present.filter((name) => name.includes('/route-cache/'))).toEqual([])
  const sbom = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'))
  const { version, node } = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'))
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'gatehouse', version } } })
  const named = sbom.components.map((part: { name: string; version: string }) => `${part.name} ${part.version}`)
  expect(named).toEqual(
    expect.arrayContaining([`node ${node}`, 'next 16.4.5', 'hono 4.13.19', 'zod 4.6.7', 'vary 1.1.2', '@swc/helpers 0.5.23']),
  )
})

test('two unpacked folders work without Node on the machine, and take each other’s forms', async () => {
  using one = await makePlace()
  using other = await makePlace()
  await using first = start(unpack('one'), one)
  await using second = start(unpack('other'), other)
  for (const { output } of [first, second]) await expect.poll(() => linkIn(output()), { timeout: 60_000 }).not.toBe('')
  using caller = createCaller(one.port)
  using otherCaller = createCaller(other.port)
  const setupPage = async (by: Caller, output: string) => (await by.call(linkIn(output).replace(/^https?:\/\/[^/]+/, ''))).text
  const forms = [await setupPage(caller, first.output()), await setupPage(otherCaller, second.output())].map(actionFields)
  expect(forms[0]).not.toEqual([])
  expect(forms[1]).toEqual(forms[0])
  for (const [by, { output }] of [
    [caller, first],
    [otherCaller, second],
  ] as const) {
    const visitor = createVisitor(by)
    await visitor.setUp(linkIn(output()))
    expect(await visitor.signIn()).toBe(true)
    const job = await visitor.install(await visitor.addSandbox('web-fra-01'))
    await by.call(`/api/jobs/${job}/events`, { cookie: visitor.cookie() })
    expect((await by.call(`/api/jobs/${job}`, { cookie: visitor.cookie() })).text).toContain('"done"')
  }
})

test('it prints its version, takes settings from a file, and refuses what it does not know', () => {
  const folder = unpack('version')
  const run = (...args: string[]) =>
    spawnSync(join(folder, 'gatehouse'), args, { encoding: 'utf8', cwd: dir, env: { PATH: programs } as unknown as NodeJS.ProcessEnv })
  expect(run('up', '--settings', 'missing.env')).toMatchObject({ status: 78, stderr: expect.stringContaining(join(dir, 'missing.env')) })
  writeFileSync(join(dir, 'wrong.env'), 'PUBLIC_URL=nonsense\n')
  expect(run('up', '--settings=wrong.env')).toMatchObject({ status: 78, stderr: expect.stringContaining('PUBLIC_URL') })
  expect(run('version').stdout).toContain(readFileSync(join(folder, 'VERSION'), 'utf8').trim())
  expect(run('toString')).toMatchObject({ status: 2, stderr: expect.stringContaining('no command "toString"') })
  expect(run('--help').status).toBe(0)
})

test('it runs the commands of administrators beside a running Gatehouse, and restores a backup of it', async () => {
  using place = await makePlace()
  const folder = unpack('commands')
  const env = { ...place.env, PATH: programs } as unknown as NodeJS.ProcessEnv
  const run = (args: string[], more: Record<string, string> = {}) => {
    const done = spawnSync(join(folder, 'gatehouse'), args, { encoding: 'utf8', cwd: dir, env: { ...env, ...more } })
    return { status: done.status, stdout: done.stdout, stderr: done.stderr }
  }
  expect(run(['users', 'list'])).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^There is no database at /) })
  await using gatehouse = start(folder, place)
  await expect.poll(() => linkIn(gatehouse.output()), { timeout: 60_000 }).not.toBe('')
  writeFileSync(join(dir, 'setup.json'), '{ "owner": { "name": "Robin", "email": "robin@example.org" } }', { mode: 0o600 })
  const owner = { name: 'Robin', email: 'robin@example.org', link: expect.stringContaining('/recover?token=') }
  const setUp = run(['setup', 'setup.json', '--json'])
  expect([setUp.status, JSON.parse(setUp.stdout)]).toEqual([0, { owner, invitations: [], connection: null }])
  const silent = { status: 0, stderr: '' }
  const add = ['users', 'add', 'kim@example.org', '--name', 'Kim', '--role', 'viewer']
  expect(run(add)).toMatchObject({ ...silent, stdout: expect.stringContaining('kim@example.org is a member') })
  expect(JSON.parse(run(['users', 'list', '--json']).stdout)).toEqual([
    { email: 'kim@example.org', role: 'viewer', state: 'active' },
    { email: 'robin@example.org', role: 'owner', state: 'active' },
  ])
  expect(run(['owner', 'recover', 'kim@example.org'])).toMatchObject({ ...silent, stdout: expect.stringContaining('/recover?token=') })
  expect(run(['owner', 'setup'])).toMatchObject({ status: 1, stderr: expect.stringContaining('./gatehouse owner recover EMAIL') })
  expect(run(['keys', 'rotate'])).toMatchObject({ status: 0, stdout: expect.stringContaining('./gatehouse keys retire') })
  expect(run(['keys', 'verify'])).toMatchObject({ status: 0, stdout: expect.stringContaining('sealed') })
  expect(run(['keys', '--service', 'create', '--account', 'other'])).toMatchObject({
    ...silent,
    stdout: expect.stringMatching(/^gh_\S+\n$/),
  })
  const keys = JSON.parse(run(['keys', '--service', 'list', '--json']).stdout)
  expect(keys.map(({ account }: { account: string }) => account).sort()).toEqual(['other', 'portal'])
  expect(run(['prune'])).toMatchObject({
    ...silent,
    stdout: expect.stringMatching(/^Portal: deleted .*\nService: \d+ log lines deleted\.\n$/),
  })
  expect(run(['rollback'])).toMatchObject({ ...silent, stdout: expect.stringContaining('no upgrade has changed a database') })
  expect(run(['rollback', 'portal'])).toMatchObject({ status: 1, stdout: '' })
  expect(run(['config', 'check'])).toMatchObject({ ...silent, stdout: 'The settings are valid.\n' })
  expect(run(['config', 'check'], { PORT: 'x' })).toMatchObject({ status: 1, stdout: expect.stringContaining('PORT') })
  expect(run(['backup', 'copy'])).toMatchObject({ ...silent, stdout: expect.stringContaining(join(dir, 'copy')) })
  const elsewhere = { GATEHOUSE_DATA: join(dir, 'restored/data'), GATEHOUSE_KEYS: join(dir, 'restored/keys') }
  expect(run(['restore', 'copy'], elsewhere)).toMatchObject(silent)
  expect(run(['users', 'list'], elsewhere).stdout).toContain('robin@example.org\towner\tactive\n')
})

test('packed again, after a portal was started from the build, it is the same byte for byte', () => {
  const kept = join(buildFolder(), 'server/route-cache/planted')
  mkdirSync(kept, { recursive: true })
  writeFileSync(join(kept, 'page'), 'kept at run time')
  try {
    expect(hashOf(pack(join(dir, 'again')))).toBe(hashOf(archive))
  } finally {
    rmSync(kept, { recursive: true })
  }
}, 900_000)

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Next encrypts with it what an action closes over. It is in a build only then, under this name. */
const closesOver = 'encryptActionBoundArgs'

/** The scripts of a build's server, and those of them in which an action closes over a value. */
function findClosures(server: string): { scripts: number; closing: string[] } {
  const scripts = filesOf(server).filter((name) => name.endsWith('.js'))
  return { scripts: scripts.length, closing: scripts.filter((name) => readFileSync(join(server, name), 'utf8').includes(closesOver)) }
}

test('no server action of the build closes over a value', () => {
  const { scripts, closing } = findClosures(join(buildFolder(), 'server'))
  expect(scripts).toBeGreaterThan(100)
  expect(closing).toEqual([])
})

test('a planted action that closes over a value is found, and the one beside it that does not is left alone', () => {
  using planted = buildPlantedClosure()
  const { closing } = findClosures(planted.server)
  const found = closing.map((name) => readFileSync(join(planted.server, name), 'utf8'))
  expect(found.map((script) => [script.includes('closes over'), script.includes('closes over nothing')])).toEqual([[true, false]])
}, 300_000)
