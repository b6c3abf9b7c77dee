/** A data folder that the last version on libsql wrote opens, with all that was in it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { listSafetyCopies } from '@/lib/database/safety-copies'
import { prepareDatabase } from '@/lib/database/prepare'
import { createOpaqueId } from '@/lib/portal/access/opaque-id'
import { recordAudit } from '@/lib/portal/audit/record'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/db'
import { recheckActor } from '@/lib/portal/identity/actor'
import { undoChange } from '@/lib/portal/undo/undo'
import { getSettings } from '@/lib/settings/settings'
import { openPortalDatabase } from '../support/portal-database'
import { runSql } from '../support/sqlite-file'
import { startUpstream } from '../support/upstream/upstream'

const fixture = (name: string) => readFileSync(join('tests/fixtures/before-driver-change', name))
const unpack = (name: string) => gunzipSync(fixture(`${name}.db.gz`))

/** The service of the older data's connection. */
const service = { port: 39117, key: 'the-key-of-the-older-data', extensions: true }

async function openOlderPortal() {
  const place = { portalDatabase: '', portalKekFile: '', sessionSecretFile: '' }
  const portal = await openPortalDatabase({
    place: async (settings) => {
      Object.assign(place, settings)
      mkdirSync(dirname(settings.portalDatabase), { recursive: true })
      mkdirSync(dirname(settings.portalKekFile), { recursive: true, mode: 0o700 })
      writeFileSync(settings.portalDatabase, unpack('portal'), { mode: 0o600 })
      writeFileSync(settings.portalKekFile, fixture('portal-kek.txt'), { mode: 0o400 })
      writeFileSync(settings.sessionSecretFile, fixture('session.txt'), { mode: 0o400 })
      await prepareDatabase({ file: settings.portalDatabase, schema: 'portal' })
    },
  })
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

  await recordAudit({ teamId: null, actor: { kind: 'gatehouse' }, action: 'test', object: { kind: 'team', id: null }, stage: 'event', outcome: 'done' })
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
  expect(server.cronjobs).toMatchObject([{ command: 'backup', minute: '30', hour: '4' }])
  expect(await verifyAudit()).toMatchObject({ ok: true })
})

test('an upgrade of older data keeps the database as it was beside it; its rows are the same', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-older-'))
  try {
    for (const schema of ['portal', 'service'] as const) {
      const file = join(dir, `${schema}.db`)
      writeFileSync(file, unpack(schema), { mode: 0o600 })
      // A migration that this version brings: the older data has not seen it.
      runSql(file, 'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)')
      const copies = () => listSafetyCopies(file)
      await prepareDatabase({ file, schema }).catch(() => {})
      expect(copies().length).toBeLessThanOrEqual(1)
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
