/** A data folder that the last version on libsql wrote opens, with all that was in it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listSafetyCopies } from '@/lib/database/safety-copies'
import { recordAudit } from '@/lib/portal/audit/record'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { recheckActor } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { openOlderPortal, unpackPortal } from '../support/older-portal'
import { runSql } from '../support/sqlite-file'
import { startUpstream } from '../support/upstream/upstream'

/** The service of the older data's connection. */
const service = { port: 39117, key: 'the-key-of-the-older-data', extensions: true }

test('the audit log of older data verifies, dates sort correctly with new ones, and its undo works', async () => {
  await using _portal = await openOlderPortal('before-driver-change')
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
  const undone = await undoChange(actor, undo.id, createOpaqueId(), startJob)
  expect(undone).toMatchObject({ ok: true })
  expect(server.cronjobs).toContainEqual(expect.objectContaining({ command: 'backup', minute: '30', hour: '4' }))
  expect(await verifyAudit()).toMatchObject({ ok: true })
})

test('the original database is kept next to the migrated one, with the same entries', async () => {
  await using portal = await openOlderPortal('before-driver-change')
  const [copy, ...more] = listSafetyCopies(portal.settings.portalDatabase)
  expect(more).toEqual([])
  const rowsOf = (file: string) => runSql(file, 'SELECT seq, at, mac FROM AuditRow ORDER BY seq')
  expect(rowsOf(copy ?? '')).toEqual(rowsOf(portal.settings.portalDatabase))
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-older-'))
  try {
    writeFileSync(join(dir, 'older.db'), unpackPortal('before-driver-change'))
    expect(rowsOf(copy ?? '')).toEqual(rowsOf(join(dir, 'older.db')))
    const migrations = (file: string) => runSql(file, 'SELECT migration_name FROM _prisma_migrations')
    expect(migrations(copy ?? '')).toEqual(migrations(join(dir, 'older.db')))
    expect(migrations(portal.settings.portalDatabase).length).toBeGreaterThan(migrations(copy ?? '').length)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
