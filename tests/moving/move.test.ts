/** `gatehouse move-to-postgresql`: every row is in the other database, the audit log verifies there, and the file is as it was. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { claimDatabase } from '@/lib/database/claim'
import { copyRows, type Move } from '@/lib/moving/copy-rows'
import { startHeads, writeHead } from '@/lib/portal/audit/heads/write'
import { recordAudit } from '@/lib/portal/audit/record'
import { closeDatabase, db } from '@/lib/portal/base/db'
import { openPortalDatabase, type PortalDatabase } from '../support/portal-database'
import { createTeam } from '../support/portal-team'
import { addressText, openPostgresql, postgresqlMissing, type TestPostgresql } from '../support/postgresql'
import { runSql } from '../support/sqlite-file'

const onPostgresql = test.skipIf(postgresqlMissing)

/** Texts that JSON, SQL or COPY write differently. */
const awkward = `Ünï "quoted" 'x' \\N \\. $1 %\t\n\u2028 🦊 {"a":null}`

/** A portal with members, an audit log, servers and more rows than one batch; closed, with everything in its file. */
async function openUsed(): Promise<PortalDatabase> {
  const portal = await openPortalDatabase({ engine: 'sqlite' })
  await startHeads()
  const team = await createTeam()
  for (const role of ['owner', 'viewer', 'guest'] as const) await team.join(role)
  for (const reason of [awkward, '']) {
    await recordAudit({
      ...{ teamId: team.id, actor: { kind: 'gatehouse' }, action: 'session.signIn', stage: 'event', outcome: 'done' },
      object: { kind: 'team', id: team.id },
      detail: { reason },
    })
  }
  await writeHead()
  await portal.db.team.update({ where: { id: team.id }, data: { name: awkward } })
  await closeDatabase()
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)'
  const { portalDatabase } = portal.settings
  runSql(
    portalDatabase,
    `${many} INSERT INTO KnownDevice SELECT 'device-' || i, (SELECT id FROM User LIMIT 1), '2026-11-27T03:00:00.123+00:00' FROM n`,
  )
  return portal
}

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Every row of every model, without an order. */
async function readAll(): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const [name, model] of Object.entries(db()) as [string, { findMany?: () => Promise<object[]> }][]) {
    if (typeof model?.findMany !== 'function') continue
    all[name] = (await model.findMany()).map((row) => JSON.stringify(row)).sort()
  }
  return all
}

function runMove({ settings }: PortalDatabase, address: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = ['--conditions=react-server', '--import', 'tsx', 'lib/moving/command.ts']
  const env = { ...process.env, GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, DATABASE_URL: address }
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const moveTo = ({ settings }: PortalDatabase, { address }: TestPostgresql): Move => ({
  ...{ file: settings.portalDatabase, schema: 'portal', address },
})

onPostgresql('all rows are there with the same values, the audit log and its heads verify, and the file is unchanged', async () => {
  await using portal = await openUsed()
  await using empty = await openPostgresql('empty')
  const { settings } = portal
  const [before, rows] = [digest(settings.portalDatabase), await readAll()]
  await closeDatabase()
  const { code, stdout, stderr } = await runMove(portal, addressText(empty.address))
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^portal: \d+ tables with 2,5\d\d rows copied to .* in \d+ s; each table has as many rows as in /),
    expect.stringMatching(/^\d+ sealed values open/),
    expect.stringMatching(/^Log integrity verified: \d+ entries/),
    expect.stringMatching(/^The signed heads begin on /),
    expect.stringMatching(/^Gatehouse can start with these settings\. It no longer uses .*portal\.db, which is unchanged\.$/),
    '',
  ])
  expect(digest(settings.portalDatabase)).toBe(before)
  settings.portalPostgresql = empty.address
  expect(await readAll()).toEqual(rows)
  expect(rows.team?.[0]).toContain(JSON.stringify(awkward).slice(1, -1))
  expect(rows.knownDevice).toHaveLength(2500)
  await closeDatabase()

  const again = await runMove(portal, addressText(empty.address))
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not empty: \w+ has rows\. Name an empty one\./) })
})

onPostgresql('one that is interrupted or fails leaves the other database without rows, and begins again', async () => {
  await using portal = await openUsed()
  await using empty = await openPostgresql('portal')
  // An administrator's extension, with views in the same schema.
  await empty.ask('CREATE EXTENSION pg_stat_statements')
  // The connection breaks in the middle of the copy, after other tables.
  await empty.ask(
    `CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
     CREATE TRIGGER cut BEFORE INSERT ON "KnownDevice" FOR EACH ROW WHEN (NEW."tokenHash" = 'device-1700') EXECUTE FUNCTION cut()`,
  )
  await expect(copyRows(moveTo(portal, empty))).rejects.toThrow(/cannot be used \(/)
  expect(await empty.ask('SELECT (SELECT count(*) FROM "KnownDevice")::int + (SELECT count(*) FROM "Team")::int AS rows')).toEqual([
    { rows: 0 },
  ])
  await empty.ask('DROP FUNCTION cut() CASCADE')
  expect((await copyRows(moveTo(portal, empty))).get('KnownDevice')).toBe(2500)
})

onPostgresql('a copy whose audit log does not verify is removed, and the reason named', async () => {
  await using portal = await openUsed()
  await using empty = await openPostgresql('empty')
  runSql(portal.settings.portalDatabase, `UPDATE AuditRow SET outcome = 'failed' WHERE seq = 1`)
  const { code, stderr } = await runMove(portal, addressText(empty.address))
  expect([code, stderr]).toEqual([1, expect.stringMatching(/The audit log cannot be trusted from entry 1 on[\s\S]*The copy was removed/)])
  expect(await empty.ask('SELECT * FROM "User"')).toEqual([])
})

onPostgresql('while Gatehouse runs, or without anything to move, it refuses', async () => {
  await using portal = await openUsed()
  await using empty = await openPostgresql('empty')
  const release = claimDatabase(portal.settings.portalDatabase)
  const running = await runMove(portal, addressText(empty.address))
  release()
  expect(running).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Process \d+ is already running on .* Stop it first\.$/m) })
  expect(await runMove(portal, '')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is nothing to move: set DATABASE_URL'),
  })
})
