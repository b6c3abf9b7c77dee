/** An installed release is upgraded, goes back from a broken one, is rolled back, and is interrupted at each step. Making it needs npm's registry, for the Node inside. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findClaimant } from '@/lib/database/claim'
import type { Step } from '@/lib/upgrade/state'
import { createCaller } from '../browser/security/caller'
import { deriveRelease } from '../support/derived-release'
import { makePlace, type Place } from '../support/gatehouse-process'
import { type InstalledRelease, installRelease, killAt, type Running } from '../support/installed-release'
import { npmRun } from '../support/npm-run'
import { takeRelease } from '../support/own-release'
import { createVisitor } from '../support/portal-visitor'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'))
const [next, broken] = ['1.1.0', '1.2.0']
const archives = { next: '', broken: '', damaged: '' }
let release = ''
let first = ''

beforeAll(() => {
  release = takeRelease(dir).replace(/\.tar\.gz$/, '')
  const { programs, version } = JSON.parse(readFileSync(join(release, 'release.json'), 'utf8'))
  first = version
  const migration = join(programs, 'prisma/portal/migrations/29990101000000_of_a_later_version/migration.sql')
  const portal = join(programs, 'portal-main.mjs')
  const migrate = (folder: string) => {
    spawnSync('mkdir', ['-p', join(folder, migration, '..')])
    writeFileSync(join(folder, migration), 'CREATE TABLE "Later" ("id" TEXT NOT NULL PRIMARY KEY);\n')
  }
  archives.next = deriveRelease(release, next, [migration], migrate)
  archives.broken = deriveRelease(release, broken, [migration, portal], (folder) => {
    migrate(folder)
    writeFileSync(join(folder, portal), "process.stderr.write('The portal of this release is broken.\\n')\nprocess.exit(1)\n")
  })
  archives.damaged = deriveRelease(release, '1.3.0', [portal], (folder) => appendFileSync(join(folder, portal), '\n'), false)
}, 900_000)

afterAll(() => rmSync(dir, { recursive: true, force: true }))

const fileOf = (place: Place, half: 'portal' | 'service') => join(place.dir, `data/${half}/${half}.db`)

const untilReady = (installed: InstalledRelease) => expect.poll(installed.isReady, { timeout: 90_000 }).toBe(true)

const linkIn = (output: string) => /http\S+\/setup\S+/.exec(output)?.[0] ?? ''

/** The first version with an owner and one server, running. */
async function startFirst(place: Place) {
  const installed = installRelease(place, release)
  const up = installed.begin('up')
  await untilReady(installed)
  await expect.poll(() => linkIn(up.output()), { timeout: 30_000 }).not.toBe('')
  const caller = createCaller(place.port)
  const visitor = createVisitor(caller)
  await visitor.setUp(linkIn(up.output()))
  const serverId = await visitor.addSandbox('web-fra-01')
  const names = async (): Promise<string[]> => {
    const { servers } = JSON.parse((await caller.call('/api/servers', { cookie: visitor.cookie() })).text)
    return servers.map(({ name }: { name: string }) => name).sort()
  }
  return { installed, up, caller, visitor, serverId, names }
}

test('an upgrade keeps data and running installs, a broken release is gone back from, and a rollback says what it loses', async () => {
  using place = await makePlace()
  const { installed, up, caller, visitor, serverId, names } = await startFirst(place)
  await using _ = installed
  using __ = caller

  const job = await visitor.install(serverId)
  const upgraded = await installed.run('upgrade', '--json', archives.next)
  expect(upgraded).toMatchObject({ code: 0, output: expect.stringContaining('portal: 1 of its migrations work') })
  const report = JSON.parse(upgraded.output.trim().split('\n').at(-1) ?? '')
  expect(report).toMatchObject({ outcome: 'upgraded', from: first, to: next, reason: null })
  process.stdout.write(`Away for ${report.secondsAway} s by the upgrade.\n`)
  expect(installed.current()).toBe(next)
  expect(await visitor.signIn()).toBe(true)
  await caller.call(`/api/jobs/${job}/events`, { cookie: visitor.cookie() })
  expect((await caller.call(`/api/jobs/${job}`, { cookie: visitor.cookie() })).text).toContain('"done"')

  for (const [archive, why] of [
    [archives.damaged, 'differs from its manifest'],
    [archives.next, 'is already installed'],
  ]) {
    expect(await installed.run('upgrade', archive ?? '')).toMatchObject({ code: 1, output: expect.stringContaining(why ?? '') })
  }
  await visitor.addSandbox('web-fra-02')
  const back = await installed.run('upgrade', archives.broken)
  expect(back).toMatchObject({ code: 1, output: expect.stringContaining(`Gatehouse ${next} runs as before, with its databases.`) })
  process.stdout.write(`${back.output.trim().split('\n').at(-1)}\n`)
  expect(installed.releases()).toEqual([first, next].sort())
  expect(await installed.isReady()).toBe(true)
  expect(await visitor.signIn()).toBe(true)
  expect(await names()).toEqual(['web-fra-01', 'web-fra-02'])

  expect(await installed.run('rollback')).toMatchObject({ code: 0, output: expect.stringMatching(/Lost by going back: .*1 server/) })
  expect(await installed.run('rollback', '--yes')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Rolled back from ${next} to`),
  })
  expect(installed.current()).toBe(first)
  expect(await visitor.signIn()).toBe(true)
  expect(await names()).toEqual(['web-fra-01'])
  expect(await installed.run('rollback')).toMatchObject({ code: 1, output: expect.stringContaining('nothing to go back to') })
  await up[Symbol.asyncDispose]()
  expect(npmRun(place, 'keys', 'verify')).toMatchObject({ status: 0, said: expect.stringContaining('restored to entry') })
}, 400_000)

/** Everything that runs dies, as by a power cut. */
async function cutPower(place: Place, up: Running): Promise<void> {
  up.process.kill('SIGKILL')
  for (const half of ['portal', 'service'] as const) {
    await expect.poll(() => findClaimant(fileOf(place, half)), { timeout: 20_000 }).toBe(null)
  }
}

test('killed at any step, one version starts with all data, and the upgrade works afterwards', async () => {
  using place = await makePlace()
  const { installed, up, caller, visitor, names } = await startFirst(place)
  await using _ = installed
  using __ = caller
  let running = up
  const steps: readonly [Step, 'alone' | 'with everything'][] = [
    ['unpacking', 'alone'],
    ['trying', 'with everything'],
    ['stopping', 'alone'],
    ['copying', 'with everything'],
    ['switching', 'with everything'],
    ['starting', 'alone'],
    ['starting', 'with everything'],
  ]
  for (const [step, how] of steps) {
    if (installed.current() === next) expect(await installed.run('rollback', '--yes')).toMatchObject({ code: 0 })
    const upgrade = installed.begin('upgrade', archives.next)
    expect(await killAt(installed, upgrade, step), `${step}: ${upgrade.output()}`).toBe(true)
    if (how === 'with everything') {
      await cutPower(place, running)
      running = installed.begin('up')
    }
    await expect.poll(installed.isReady, { timeout: 90_000, message: `${step}: ${running.output().slice(-600)}` }).toBe(true)
    expect([first, next]).toContain(installed.current())
    expect(await visitor.signIn(), step).toBe(true)
    expect(await names(), step).toEqual(['web-fra-01'])
  }
  expect(await installed.run('upgrade', archives.next)).toMatchObject({ code: 0 })
  expect(installed.step()).toBe('')
  expect(installed.current()).toBe(next)
  expect(await names()).toEqual(['web-fra-01'])
  await running[Symbol.asyncDispose]()
  expect(await installed.run('keys', 'verify')).toMatchObject({ code: 0 })
}, 600_000)
