import { expect, test, vi } from 'vitest'
import { type AuditEvent, recordAudit } from '@/lib/portal/audit/record'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { testEngine } from '@/tests/support/engine'
import { openPortalDatabase } from '@/tests/support/portal-database'

const event = (id: string): AuditEvent => ({
  teamId: null,
  actor: { kind: 'nobody' },
  action: 'session.signIn',
  object: { kind: 'user', id },
  stage: 'event',
  outcome: 'failed',
  detail: { peer: '127.0.0.1' },
})

const record = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => recordAudit(event(`person-${index + 1}`))))

test('rows written at the same time form one intact chain', async () => {
  await using _ = await openPortalDatabase()
  await record(60)
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 60 })
})

test.each(
  [
    { what: 'edited', sql: `UPDATE "AuditRow" SET outcome = 'done' WHERE seq = 4`, bad: 4 },
    { what: 'given a stage that there is not', sql: `UPDATE "AuditRow" SET stage = 'x' WHERE seq = 4`, bad: 4 },
    { what: 'given another actor', sql: `UPDATE "AuditRow" SET "actorId" = 'x' WHERE seq = 4`, bad: 4 },
    { what: 'deleted', sql: 'DELETE FROM "AuditRow" WHERE seq = 4', bad: 4 },
    {
      what: 'put in another place',
      sql: 'UPDATE "AuditRow" SET seq = CASE seq WHEN 4 THEN -5 WHEN 5 THEN -4 END WHERE seq IN (4, 5)',
      bad: 4,
    },
    {
      what: 'deleted and the rest moved up',
      sql: 'DELETE FROM "AuditRow" WHERE seq = 4; UPDATE "AuditRow" SET seq = seq - 1 WHERE seq > 4',
      bad: 4,
    },
    // PostgreSQL refuses a stage that there is not.
  ].filter(({ sql }) => testEngine === 'sqlite' || !sql.includes("stage = 'x'")),
)('security 51: verify names the first bad row when one was $what', async ({ sql, bad }) => {
  await using _ = await openPortalDatabase()
  await record(8)
  for (const statement of sql.split('; ')) await db().$executeRawUnsafe(statement)
  await db().$executeRawUnsafe('UPDATE "AuditRow" SET seq = -seq WHERE seq < 0')
  expect(await verifyAudit()).toMatchObject({ ok: false, badSeq: bad })
})

test('security 51: a cut-off tail is detected with a head noted earlier', async () => {
  await using _ = await openPortalDatabase()
  await record(5)
  const verdict = await verifyAudit()
  if (!verdict.ok) throw new Error(verdict.why)
  await db().$executeRawUnsafe('DELETE FROM "AuditRow" WHERE seq > 3')
  expect(await verifyAudit()).toMatchObject({ ok: true })
  expect(await verifyAudit(verdict.head)).toMatchObject({ ok: false, badSeq: 4 })
})

test('only allow-listed detail is stored, at most 200 characters of each member', async () => {
  await using _ = await openPortalDatabase()
  await recordAudit({ ...event('x'), detail: { peer: 'p'.repeat(1000), password: 'secret', key: 'secret', code: undefined } })
  const row = await db().auditRow.findFirstOrThrow()
  expect(JSON.parse(row.detail)).toEqual({ peer: 'p'.repeat(200) })
})

test('ids with characters that databases cannot store leave the chain intact', async () => {
  await using _ = await openPortalDatabase()
  for (const id of ['a\0b', 'lone \ud800', '\0']) await recordAudit(event(id))
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 3 })
})

test('while a long log is verified, other work of the process has a turn before each page', async () => {
  await using _ = await openPortalDatabase()
  for (let written = 0; written < 600; written += 60) await record(60)
  let [turns, over] = [0, false]
  const turn = () => {
    turns += 1
    if (!over) setImmediate(turn)
  }
  turn()
  const read = db().$queryRaw.bind(db())
  const turnsAtPages: number[] = []
  vi.spyOn(db(), '$queryRaw').mockImplementation(((...given: Parameters<typeof read>) => {
    turnsAtPages.push(turns)
    return read(...given)
  }) as typeof read)
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 600 })
  over = true
  expect(turnsAtPages.length).toBeGreaterThan(2)
  expect(turnsAtPages).toEqual([...new Set(turnsAtPages)])
})
