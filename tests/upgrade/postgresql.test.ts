/** What an upgrade does with a database on PostgreSQL: it tries migrations, copies, says what going back loses, and goes back. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { listMigrationNames } from '@/lib/database/schema-engine'
import { startHeads, writeHead } from '@/lib/portal/audit/heads/write'
import { recordAudit } from '@/lib/portal/audit/record'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { closeRing, openRing } from '@/lib/portal/custody/ring'
import { openPortalDatabase } from '../support/portal-database'
import { createTeam } from '../support/portal-team'
import { addressText, askPostgresql, openPostgresql, postgresqlMissing } from '../support/postgresql'

const onPostgresql = test.skipIf(postgresqlMissing)

async function runHalf(env: Record<string, string>, ...args: string[]): Promise<string> {
  const command = ['--conditions=react-server', '--import', 'tsx', 'lib/upgrade/half-command.ts', ...args]
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: { ...process.env, LOG_LEVEL: 'silent', ...env } })
  return stdout
}

const enter = (teamId: string) =>
  recordAudit({
    ...{ teamId, actor: { kind: 'gatehouse' }, action: 'session.signIn', stage: 'event', outcome: 'done' },
    object: { kind: 'team', id: teamId },
  })

const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`

onPostgresql('migrations are tried in a transaction that is rolled back', async () => {
  await using empty = await openPostgresql('empty')
  const env = { DATABASE_URL: addressText(empty.address) }
  expect(await runHalf(env, 'try', 'portal')).toBe(listMigrationNames('portal', 'postgresql').join(' '))
  expect(await empty.ask(tables)).toEqual([])
  await using present = await openPostgresql('portal')
  expect(await runHalf({ DATABASE_URL: addressText(present.address) }, 'try', 'portal')).toBe('')
})

onPostgresql('a database goes back to its copy whole, with what a newer version made gone, and the audit log says so', async () => {
  await using portal = await openPortalDatabase({ engine: 'postgresql' })
  const { portalPostgresql: address, portalDatabase, dataDir, keysDir } = portal.settings
  if (address === null) throw new Error('not on PostgreSQL')
  const ask = (sql: string) => askPostgresql(address, sql)
  const user = `reader-${process.pid}`
  // An administrator's extension, whose views and functions are in the same schema.
  await ask('CREATE EXTENSION pg_stat_statements')
  await ask(`CREATE ROLE "${user}"; GRANT SELECT ON "User" TO "${user}"`)
  await startHeads()
  const team = await createTeam()
  await team.join('owner')
  await enter(team.id)
  await writeHead()
  const env = { DATABASE_URL: addressText(address), GATEHOUSE_DATA: dataDir, GATEHOUSE_KEYS: keysDir }
  const copy = portalDatabase.replace(/\.db$/, '.pgdump.before-upgrade-1')
  await runHalf(env, 'copy', 'portal', copy)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  const [before, users] = [await ask(tables), await ask('SELECT * FROM "User"')]

  await team.join('viewer')
  await enter(team.id)
  await writeHead()
  await ask(`CREATE TABLE "Later" (n INT); CREATE TYPE "LaterKind" AS ENUM ('a'); ALTER TABLE "User" ADD COLUMN later INT`)
  expect(await runHalf(env, 'describe', 'portal', copy)).toMatch(/^\d+ audit log entr(y|ies), 1 user$/)

  expect(await runHalf(env, 'restore', 'portal', copy)).toBe('')
  expect([await ask(tables), await ask('SELECT * FROM "User"')]).toEqual([before, users])
  expect(await ask(`SELECT has_table_privilege('${user}', '"User"', 'SELECT') AS may`)).toEqual([{ may: true }])
  closeRing()
  await openRing()
  expect(await verifyAudit()).toMatchObject({
    ok: true,
    notes: expect.arrayContaining([expect.stringContaining('The log was restored to entry')]),
  })
  const [kept = ''] = readdirSync(dirname(copy)).filter((name) => name.startsWith('portal.pgdump.rolled-back-'))
  expect(await runHalf(env, 'describe', 'portal', join(dirname(copy), kept))).toBe('')
  await ask(`DROP OWNED BY "${user}"; DROP ROLE "${user}"`)
})

onPostgresql('a copy that is cut off leaves the database as it is', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-cut-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  await using service = await openPostgresql('service')
  const env = { SERVICE_DATABASE_URL: addressText(service.address) }
  const [copy, accounts] = [join(dir, 'copy'), 'SELECT name FROM "Account" ORDER BY 1']
  await service.ask(`INSERT INTO "Account" (id, name, "createdAt") SELECT 'a' || n, 'team-' || n, now() FROM generate_series(1, 2000) AS n`)
  await runHalf(env, 'copy', 'service', copy)
  await service.ask(`UPDATE "Account" SET name = 'changed-' || id`)
  const rows = await service.ask(accounts)
  const bytes = readFileSync(copy)
  writeFileSync(copy, bytes.subarray(0, -9000))
  await expect(runHalf(env, 'restore', 'service', copy)).rejects.toThrow(/pg_restore failed on/)
  expect(await service.ask(accounts)).toEqual(rows)
  writeFileSync(copy, bytes)
  await runHalf(env, 'restore', 'service', copy)
  expect((await service.ask(accounts))[0]).toEqual({ name: 'team-1' })
})

test('a clone has no copy of a database on PostgreSQL to go back to, and the error says so', async () => {
  const command = ['--conditions=react-server', '--import', 'tsx', 'lib/rollback/command.ts', 'portal']
  const env = { ...process.env, DATABASE_URL: 'postgresql://gatehouse@localhost/gatehouse' }
  const { status, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    'The portal is on PostgreSQL, where a start makes no copy. Restore a backup into an empty database.\n',
  ])
})
