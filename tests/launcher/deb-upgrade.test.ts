/** `gatehouse upgrade` where the package is installed: systemd stops, starts and, after a kill or a power cut, recovers both units. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Step } from '@/lib/upgrade/state'
import { must } from '../hosts/deployment'
import { type Host, startHost } from '../hosts/lab/lab'
import { someDebians } from '../hosts/releases'
import { deriveRelease } from '../support/derived-release'
import { takeRelease } from '../support/own-release'
import { apt, currentOf, install, makePackage, send, show, statesOf } from '../support/package-on-host'
import { isSoak, openChance } from '../support/seeds'

const chance = openChance()
const dir = mkdtempSync(join(tmpdir(), 'gatehouse-deb-upgrade-'))
const [next, broken] = ['1.1.0', '1.2.0']
const files = { deb: '', next: '', broken: '' }
let first = ''

beforeAll(() => {
  const archive = takeRelease(dir)
  files.deb = makePackage(archive)
  const release = archive.replace(/\.tar\.gz$/, '')
  const { programs, version } = JSON.parse(readFileSync(join(release, 'release.json'), 'utf8'))
  first = version
  const migration = join(programs, 'prisma/portal/migrations/29990101000000_of_a_later_version/migration.sql')
  const portal = join(programs, 'portal-main.mjs')
  const migrate = (folder: string) => {
    mkdirSync(dirname(join(folder, migration)), { recursive: true })
    writeFileSync(join(folder, migration), 'CREATE TABLE "Later" ("id" TEXT NOT NULL PRIMARY KEY);\n')
  }
  files.next = deriveRelease(release, next, [migration], migrate)
  files.broken = deriveRelease(release, broken, [migration, portal], (folder) => {
    migrate(folder)
    writeFileSync(join(folder, portal), "process.stderr.write('The portal of this release is broken.\\n')\nprocess.exit(1)\n")
  })
}, 900_000)

afterAll(() => rmSync(dir, { recursive: true, force: true }))

const setup = JSON.stringify({ owner: { name: 'Robin', email: 'robin@example.org' } })

/** One version runs, with its data: its databases open, every secret can be decrypted, and the audit log is whole. */
async function expectRunning(host: Host, version: string): Promise<void> {
  await expect.poll(() => statesOf(host), { timeout: 120_000 }).toEqual(['active', 'active'])
  await must(host, 'wget -q --spider http://localhost:3000/api/health/ready')
  expect(await currentOf(host)).toBe(version)
  expect(await must(host, 'gatehouse users list')).toContain('robin@example.org')
  expect(await must(host, 'gatehouse keys verify')).toContain('Log integrity verified')
  await must(host, 'gatehouse keys --service verify')
  expect((await host.run('ls /opt/gatehouse/upgrade.json /opt/gatehouse/undo')).stdout).toBe('')
}

/** How long the portal may be away, in seconds. On a machine that is busy with other tests, up to five times what starting both halves takes there. */
async function maxAway(host: Host): Promise<number> {
  const since = performance.now()
  await must(host, 'systemctl restart gatehouse-service gatehouse-portal')
  return Math.max(10, (5 * (performance.now() - since)) / 1000)
}

/** When a unit began to start, or was active, in microseconds since the boot. */
const timeOf = async (host: Host, half: string, property: string) => Number(await show(host, half, `${property}TimestampMonotonic`))

/** The exit code and the report of a move to another version. */
async function move(host: Host, command: string): Promise<[number, { secondsAway: number }]> {
  const { code, stdout, stderr } = await host.run(command, { timeoutMs: 600_000 })
  if (stdout === '') throw new Error(`${command} ended with ${code}: ${stderr}`)
  return [code, JSON.parse(stdout)]
}

const upgrade = (host: Host, file: string) => move(host, `gatehouse upgrade --json /root/${basename(file)}`)

/** Begins an upgrade and waits for a step. False if that was too short to be seen. */
const beginUntil = async (host: Host, step: Step): Promise<boolean> => {
  await must(host, `gatehouse upgrade /root/${basename(files.next)} >/root/upgrade.out 2>&1 </dev/null & echo $! >/root/upgrade.pid`)
  const wait = `until grep -qs '"step": "${step}"' /opt/gatehouse/upgrade.json; do kill -0 $(cat /root/upgrade.pid) || exit 1; done`
  return (await host.run(wait, { timeoutMs: 300_000 })).code === 0
}

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  test('it upgrades, refuses a broken release, goes back, and shares the installation with the package', async () => {
    await using host = await startHost({ release, login: { kind: 'root-key' }, name: 'moved' })
    for (const file of Object.values(files)) await send(host, file, '/root')
    await install(host, files.deb)
    await must(host, 'gatehouse setup -', setup)
    const limit = await maxAway(host)

    const upgraded = await upgrade(host, files.next)
    expect(upgraded).toEqual([0, expect.objectContaining({ outcome: 'upgraded', from: first, to: next })])
    // Neither half waited for the other.
    expect(await timeOf(host, 'portal', 'InactiveExit')).toBeLessThan(await timeOf(host, 'service', 'ActiveEnter'))
    await expectRunning(host, next)
    const refused = await upgrade(host, files.broken)
    expect(refused).toEqual([1, expect.objectContaining({ outcome: 'returned', from: next, to: broken })])
    await expectRunning(host, next)
    // The package's own release is older than what runs.
    expect(await apt(host, `reinstall /root/${basename(files.deb)}`)).toContain(`${next} stays, which is newer`)
    await expectRunning(host, next)

    const back = await move(host, 'gatehouse rollback --yes --json')
    expect(back).toEqual([0, expect.objectContaining({ outcome: 'rolled-back', from: next, to: first })])
    await expectRunning(host, first)
    for (const [name, [, { secondsAway }]] of Object.entries({ upgraded, refused, back })) {
      process.stdout.write(`${release}, ${name}: away for ${secondsAway} s, at most ${limit.toFixed(1)} s.\n`)
      expect(secondsAway, name).toBeLessThanOrEqual(limit)
    }
  })

  test('killed at any step, or without power, one version runs afterwards', async () => {
    await using host = await startHost({ release, login: { kind: 'root-key' }, name: 'killed' })
    for (const file of [files.deb, files.next]) await send(host, file, '/root')
    await install(host, files.deb)
    await must(host, 'gatehouse setup -', setup)
    const steps: Step[] = ['unpacking', 'trying', 'stopping', 'copying', 'switching', 'starting']
    const cases = steps.flatMap((step) => [
      { step, how: 'killed' as const },
      { step, how: 'without power' as const },
    ])
    // Each takes half a minute: one of the earlier steps, and one of the later.
    for (const { step, how } of isSoak ? cases : [chance.pick(cases.slice(0, 6)), chance.pick(cases.slice(6))]) {
      if ((await currentOf(host)) === next) await must(host, 'gatehouse rollback --yes')
      const seen = await beginUntil(host, step)
      if (how === 'killed') await host.run("systemctl kill -s KILL 'gatehouse-upgrade-*.service'")
      else await host.powerCut()
      process.stdout.write(`${how} at ${step}${seen ? '' : ', which was over'}.\n`)
      await must(host, "until ! systemctl list-units --all --no-legend 'gatehouse-upgrade-*' | grep -q .; do sleep 0.2; done")
      await expect.poll(async () => (await host.run('ls /opt/gatehouse/undo')).code, { timeout: 120_000 }).toBe(2)
      await expectRunning(host, (await currentOf(host)) === next ? next : first)
    }
    if ((await currentOf(host)) === first) await must(host, `gatehouse upgrade /root/${basename(files.next)}`)
    await expectRunning(host, next)
  })
})
