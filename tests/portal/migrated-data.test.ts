/** A data folder of the version before enums opens with all that was in it: log, undo, keys, dates, and sites on their connections. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { noteRestore } from '@/lib/portal/audit/heads/write'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { retireKeys, verifyRing } from '@/lib/portal/custody/rotation'
import { rotate, verify } from '@/lib/portal/entry/key-acts'
import { type Person as Actor, recheckActor } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { runOperation } from '@/lib/portal/subjects/spine'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { Prisma } from '@/prisma/generated/portal/client'
import { openOlderPortal, unpackPortal } from '../support/older-portal'
import { runSql } from '../support/sqlite-file'
import { startUpstream } from '../support/upstream/upstream'

/** The service of that data's connections. */
const startService = () => startUpstream({ port: 39118, key: 'the-key-of-the-data-of-today', extensions: true })

async function findOwner(): Promise<Actor> {
  const session = await db().session.findFirstOrThrow({ where: { user: { name: 'Mira' } } })
  const actor = await recheckActor(session.id)
  if (!actor) throw new Error('The older data has no signed-in owner.')
  return actor
}

const tablesOf = (file: string): string[] =>
  runSql(file, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY name`).map(({ name }) =>
    String(name),
  )

const rowsOf = (file: string, table: string) => runSql(file, `SELECT * FROM "${table}" ORDER BY 1, 2`)

type Row = ReturnType<typeof rowsOf>[number]
const same = (row: Row): Row => row
/** What is called otherwise since: an undo names its subject, which was always a server; what lists only show of a site is one value. */
const asToday: Record<string, typeof same> = {
  Undo: ({ serverId = null, ...row }) => ({ ...row, subjectKind: 'server', subjectId: serverId }),
  Site: ({ usage = '', address = '', mx = '', staging = '', ...row }) => ({
    ...row,
    details: JSON.stringify({ usage, address, mx, staging }),
  }),
}

test('every row is unchanged, dates and encrypted values to the byte, and tables and columns are only added', async () => {
  await using portal = await openOlderPortal('before-enums')
  const before = join(portal.settings.portalDatabase, '../before.db')
  writeFileSync(before, unpackPortal('before-enums'))
  const now = portal.settings.portalDatabase
  expect(tablesOf(now)).toEqual(expect.arrayContaining(tablesOf(before)))
  for (const table of tablesOf(before)) {
    expect([table, rowsOf(now, table).length]).toEqual([table, rowsOf(before, table).length])
    expect([table, rowsOf(now, table)]).toMatchObject([table, rowsOf(before, table).map(asToday[table] ?? same)])
  }
  const counts = ['User', 'Connection', 'Server', 'Site', 'Job', 'JobEvent', 'AuditRow', 'Undo', 'Finding', 'Sample', 'Label', 'KeyRing']
  expect(counts.map((table) => [table, rowsOf(before, table).length])).toEqual([
    ['User', 2],
    ['Connection', 2],
    ['Server', 2],
    ['Site', 3],
    ['Job', 1],
    ['JobEvent', 12],
    ['AuditRow', 11],
    ['Undo', 1],
    ['Finding', 2],
    ['Sample', 1],
    ['Label', 1],
    ['KeyRing', 2],
  ])
})

test('Prisma reads every row of every table: all stored values are in the enums', async () => {
  await using _portal = await openOlderPortal('before-enums')
  for (const model of Object.values(Prisma.ModelName)) {
    const table = Reflect.get(db(), `${model.charAt(0).toLowerCase()}${model.slice(1)}`) as { findMany: () => Promise<unknown[]> }
    expect([model, Array.isArray(await table.findMany())]).toEqual([model, true])
  }
  expect((await findOwner()).preferences).toEqual({ theme: 'dark', density: 'compact', timeZone: 'Asia/Kathmandu' })
  expect((await db().keyEncryptionKey.findMany()).map(({ state }) => state).sort()).toEqual(['active', 'decryptOnly'])
})

test('security 51: the log verifies against its signed heads and continues, the keys decrypt older values, and the old key can be retired', async () => {
  await using _portal = await openOlderPortal('before-enums')
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 11 })
  expect(await verifyRing()).toMatchObject({ old: 0, broken: [] })
  expect(await verify()).toMatch(/^\d+ sealed values open.*\nLog integrity verified: 11 entries/)
  await runOperation(await findOwner(), contract.servers.update, { serverId: createOpaqueId() }, { name: 'x', dns: '' })
  await retireKeys()
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 12 })
})

test('security 51: after a rollback, with the newer version still checked out, verify reads the older database unchanged', async () => {
  await using _portal = await openOlderPortal('before-enums', { migrated: false })
  expect(await verify()).toMatch(/^\d+ sealed values open.*\nLog integrity verified: 11 entries/)
  await noteRestore({ to: { seq: 0, row: '' }, lastSeq: 11, shared: 11 })
  expect(await verify()).toMatch(/The log was restored to entry /)
  await expect(rotate()).rejects.toThrow(/written by an older version/)
})

test('an undo stored earlier works, and an install is shown as it ended', async () => {
  await using _portal = await openOlderPortal('before-enums')
  await using service = await startService()
  const actor = await findOwner()
  const known = await db().server.findFirstOrThrow({ where: { name: 'alpha' } })
  service.addServer({ id: known.upstreamId, name: 'alpha' })
  const server = service.model.servers.get(known.upstreamId)
  const [undo, job] = [await db().undo.findFirstOrThrow(), await db().job.findFirstOrThrow()]
  expect(await undoChange(actor, undo.id, createOpaqueId(), startJob)).toMatchObject({ ok: true })
  expect(server?.cronjobs).toContainEqual(expect.objectContaining({ command: 'backup', minute: '30', hour: '4' }))
  expect(await findJob(actor, job.id)).toMatchObject({ state: 'done', targetName: 'alpha', eventCount: 12 })
  expect((await verifyAudit()).ok).toBe(true)
})

test('security 3: a site is assigned to the only connection that lists its server, and to none if several do or it is unknown', async () => {
  await using _portal = await openOlderPortal('before-enums')
  await using service = await startService()
  for (const id of ['7', '8', '9']) service.addSite({ id })
  const [hosting] = await db().connection.findMany({ where: { label: 'Hosting' } })
  const links = await db().siteOnConnection.findMany({ select: { siteId: true, connectionId: true } })
  expect(links).toEqual([{ siteId: 'site-on-a-server-listed-once', connectionId: hosting?.id }])
  const actor = await findOwner()
  const codes = []
  for (const siteId of ['site-on-a-server-listed-once', 'site-on-a-server-listed-twice', 'site-on-a-server-unknown']) {
    const outcome = await runOperation(actor, contract.sites.summary, { siteId })
    codes.push(outcome.ok ? 'ok' : outcome.problem.code)
  }
  expect(codes).toEqual(['ok', 'not_found', 'not_found'])
})
