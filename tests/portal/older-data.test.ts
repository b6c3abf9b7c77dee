/** A data folder that the last version on libsql wrote opens, with all that was in it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { prepareDatabase } from '@/lib/database/prepare'
import { listSafetyCopies } from '@/lib/database/safety-copies'
import { writeHead } from '@/lib/portal/audit/heads/write'
import { recordAudit } from '@/lib/portal/audit/record'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { rebindConnections } from '@/lib/portal/custody/rebinding'
import { recheckActor } from '@/lib/portal/identity/actor'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { openPortalDatabase } from '../support/portal-database'
import { runSql } from '../support/sqlite-file'
import { startUpstream } from '../support/upstream/upstream'

const fixture = (name: string) => readFileSync(join('tests/fixtures/before-driver-change', name))
const unpack = (name: string) => gunzipSync(fixture(`${name}.db.gz`))

/** The service of the older data's connection. */
const service = { port: 39117, key: 'the-key-of-the-older-data', extensions: true }

/** As a start of this version finds it: migrated, with a copy kept. */
async function openOlderPortal() {
  const portal = await openPortalDatabase({
    place: async ({ portalDatabase, portalKekFile, sessionSecretFile }) => {
      mkdirSync(dirname(portalDatabase), { recursive: true })
      mkdirSync(dirname(portalKekFile), { recursive: true, mode: 0o700 })
      writeFileSync(portalDatabase, unpack('portal'), { mode: 0o600 })
      writeFileSync(portalKekFile, fixture('portal-kek.txt'), { mode: 0o400 })
      writeFileSync(sessionSecretFile, fixture('session.txt'), { mode: 0o400 })
      await prepareDatabase({ file: portalDatabase, schema: 'portal' })
    },
  })
  await rebindConnections()
  await writeHead()
  return portal
}

test('the audit log of older data verifies, dates sort against new ones, and its undo works with its sealed key', async () => {
  await using _portal = await openOlderPortal()
  await using upstream = await startUpstream(service)
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const server = upstream.model.servers.get(upstreamId)
  const session = await db().session.findFirstOrThrow()
  const actor = await recheckActor(session.id)
  if (!server || !actor) throw new Error('The older data has no signed-in owner.')

  const before = await db().auditRow.findMany({ orderBy: { seq: 'asc' } })
  expect(before.map(({ action, stage }) => `${action} ${stage}`)).toEqual([
    'servers.setHostname intent',
    'servers.setHostname outcome',
    'cron.delete intent',
    'cron.delete outcome',
  ])
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 4 })

  await recordAudit({
    teamId: null,
    actor: { kind: 'gatehouse' },
    action: 'test',
    object: { kind: 'team', id: null },
    stage: 'event',
    outcome: 'done',
  })
  const byDate = await db().auditRow.findMany({ where: { at: { lte: new Date() } }, orderBy: { at: 'asc' } })
  expect(byDate.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 5 })

  expect(await db().sample.findMany({ orderBy: { at: 'asc' } })).toMatchObject([
    { reachable: true, diskUsed: 1.5e10, memUsed: null, memTotal: 2147483648 },
    { reachable: false },
    { reachable: true },
  ])
  const undo = await db().undo.findFirstOrThrow()
  const undone = await undoChange(actor, undo.id, createOpaqueId())
  expect(undone).toMatchObject({ ok: true })
  expect(server.cronjobs).toContainEqual(expect.objectContaining({ command: 'backup', minute: '30', hour: '4' }))
  expect(await verifyAudit()).toMatchObject({ ok: true })
})

test('the database as it was lies beside the migrated one, and holds the same entries', async () => {
  await using portal = await openOlderPortal()
  const [copy, ...more] = listSafetyCopies(portal.settings.portalDatabase)
  expect(more).toEqual([])
  const rowsOf = (file: string) => runSql(file, 'SELECT seq, at, mac FROM AuditRow ORDER BY seq')
  expect(rowsOf(copy ?? '')).toEqual(rowsOf(portal.settings.portalDatabase))
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-older-'))
  try {
    writeFileSync(join(dir, 'older.db'), unpack('portal'))
    expect(rowsOf(copy ?? '')).toEqual(rowsOf(join(dir, 'older.db')))
    const migrations = (file: string) => runSql(file, 'SELECT migration_name FROM _prisma_migrations')
    expect(migrations(copy ?? '')).toEqual(migrations(join(dir, 'older.db')))
    expect(migrations(portal.settings.portalDatabase).length).toBeGreaterThan(migrations(copy ?? '').length)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
