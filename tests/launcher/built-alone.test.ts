/** What `npm run ready` made needs none of the sources, which a pull may have replaced: scripts for servers, migrations and pages come with it. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCaller } from '../browser/security/caller'
import { type ChildProgram, followProgram } from '../support/child-program'
import { makePlace, type Place } from '../support/gatehouse-process'
import { createVisitor } from '../support/portal-visitor'
import { copyProject } from '../support/project-copy'
import { nobody } from '../support/reader'

/** Everything that is built, but for the launcher, which starts it. */
const built = [
  'app',
  'proxy.ts',
  'instrumentation.ts',
  'prisma',
  ...['contract', 'database', 'portal', 'sealing', 'service', 'settings'].map((name) => `lib/${name}`),
]

const isRoot = process.getuid?.() === 0

/** Starts one half as a unit does: by a user who may not write the project's folder. */
function startHalf(dir: string, half: 'portal' | 'service', place: Place): ChildProgram {
  const { NODE_ENV: _, VITEST: __, ...inherited } = process.env
  const user = isRoot ? { uid: nobody, gid: nobody } : {}
  const env = { ...inherited, ...place.env } as NodeJS.ProcessEnv
  const child = spawn(process.execPath, [join(dir, `lib/launcher/${half}.mjs`)], {
    cwd: place.dir,
    env,
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return followProgram(child)
}

const isUp = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )

test('both units start what was built and work, although none of its sources is there any more', async () => {
  using project = copyProject()
  expect(spawnSync(process.execPath, ['lib/launcher/ready.mjs'], { cwd: project.dir, stdio: 'inherit' }).status).toBe(0)
  for (const path of built) rmSync(join(project.dir, path), { recursive: true })
  chmodSync(project.dir, isRoot ? 0o755 : 0o555)
  using place = await makePlace()
  if (isRoot) chownSync(place.dir, nobody, nobody)
  place.env.SERVICE_KEY_FILE = join(place.dir, 'service-key')

  await using service = startHalf(project.dir, 'service', place)
  await expect.poll(() => isUp(place.servicePort), { timeout: 60_000 }).toBe(true)
  const created = spawnSync('npm', ['run', '--silent', 'service:keys', '--', 'create', '--account', 'portal'], {
    env: { ...process.env, ...place.env },
    encoding: 'utf8',
  })
  writeFileSync(join(place.dir, 'service-key'), created.stdout, { mode: 0o444 })
  await using portal = startHalf(project.dir, 'portal', place)
  await expect.poll(() => isUp(place.port), { timeout: 60_000 }).toBe(true)
  for (const half of [service, portal]) expect(half.output()).toContain('Changed since then: the sources.')

  using caller = createCaller(place.port)
  const visitor = createVisitor(caller)
  const link = spawnSync('npm', ['run', '--silent', 'owner', '--', 'setup'], { env: { ...process.env, ...place.env }, encoding: 'utf8' })
  await visitor.setUp(/http\S+/.exec(link.stdout)?.[0] ?? '')
  const job = await visitor.install(await visitor.addSandbox('web-fra-01'))
  await caller.call(`/api/jobs/${job}/events`, { cookie: visitor.cookie() })
  expect((await caller.call(`/api/jobs/${job}`, { cookie: visitor.cookie() })).text).toContain('"done"')
  expect((await caller.call('/sites', { cookie: visitor.cookie() })).status).toBe(200)
  chmodSync(project.dir, 0o755)
})
