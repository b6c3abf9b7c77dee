/** A stopped installation whose service is on PostgreSQL is upgraded and rolled back with its database. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placeOf } from '@/lib/upgrade/halves'
import type { Installation } from '@/lib/upgrade/installation'
import { changeOver, tryMigrations } from '@/lib/upgrade/move'
import { rollBack } from '@/lib/upgrade/roll-back'
import type { Runner } from '@/lib/upgrade/runner'
import { beginMove, describe, type Means } from '@/lib/upgrade/upgrade'
import { buildPrograms } from '../../lib/launcher/programs.mjs'
import { addressText, openPostgresql, postgresqlMissing } from '../support/postgresql'

/** Two releases with the programs of these sources. */
async function install(root: string): Promise<Installation> {
  const programs = resolve(await buildPrograms())
  for (const version of ['1.0.0', '1.1.0']) {
    const folder = join(root, 'releases', version)
    mkdirSync(folder, { recursive: true })
    symlinkSync(programs, join(folder, 'programs'))
    writeFileSync(join(folder, 'release.json'), JSON.stringify({ version, commit: '', node: '', programs: 'programs', build: '' }))
  }
  symlinkSync('releases/1.0.0', join(root, 'current'))
  return { root, releases: join(root, 'releases'), current: join(root, 'current'), undo: join(root, 'undo') }
}

/** Nothing runs, and nothing is started. */
function createStoppedRunner(installation: Installation, env: NodeJS.ProcessEnv): Runner {
  const [portal, service] = [placeOf(installation, 'portal', env), placeOf(installation, 'service', env)]
  const never = () => Promise.reject(new Error('nothing is to be started or stopped'))
  return {
    name: 'a test',
    portal,
    service,
    isRunning: async () => false,
    stop: never,
    start: never,
    findEnd: async () => null,
    close: () => {},
  }
}

test.skipIf(postgresqlMissing)(
  'the copy of before is kept, a rollback says what it loses, and both leave the database that fits',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'gatehouse-move-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    await using place = await openPostgresql('service')
    await place.ask(`INSERT INTO "Account" (id, name, "createdAt") VALUES ('a', 'northwind', now())`)
    const installation = await install(root)
    const data = join(root, 'data')
    mkdirSync(data)
    const env = {
      ...process.env,
      ...{ GATEHOUSE_NODE: process.execPath, GATEHOUSE_DATA: data, GATEHOUSE_KEYS: join(root, 'keys') },
      SERVICE_DATABASE_URL: addressText(place.address),
    }
    const said: string[] = []
    const means: Means = { installation, runner: createStoppedRunner(installation, env), say: (line) => void said.push(line) }

    const move = beginMove(means, { kind: 'upgrade', to: '1.1.0', restores: {}, running: false })
    await tryMigrations(move)
    expect(said).toEqual(['service: no migration (tried in a transaction that was rolled back).'])
    const copy = expect.stringMatching(`${data}/service/service.pgdump.before-upgrade-\\d{14}`)
    const report = describe(move, await changeOver(move))
    expect(report).toMatchObject({
      outcome: 'upgraded',
      message: expect.stringContaining(`The database of before is kept as ${data}/service/service.pgdump.before-`),
    })
    expect([move.state.copies, readlinkSync(installation.current)]).toEqual([{ service: copy }, 'releases/1.1.0'])

    await place.ask(`INSERT INTO "ApiKey" (id, "accountId", hash, "createdAt") VALUES ('k', 'a', 'h', now()); CREATE TABLE "Later" (n INT)`)
    const back = await rollBack(means)
    expect(back).toMatchObject({ outcome: 'rolled-back', from: '1.1.0', to: '1.0.0' })
    expect(said).toContainEqual(expect.stringContaining('Lost by going back: 1 API key, whatever was changed in the service since then.'))
    expect(
      await place.ask(`SELECT to_regclass('"Later"') AS later, (SELECT count(*)::int FROM "ApiKey") AS keys, name FROM "Account"`),
    ).toEqual([{ later: null, keys: 0, name: 'northwind' }])
    expect(readlinkSync(installation.current)).toBe('releases/1.0.0')
    expect(existsSync(join(root, 'upgrade.json'))).toBe(false)
    const kinds = readdirSync(join(data, 'service')).map((name) => name.replace(/\d{14}$/, ''))
    expect(kinds.sort()).toEqual(['service.pgdump.before-rollback-', 'service.pgdump.before-upgrade-', 'service.pgdump.rolled-back-'])
  },
)
