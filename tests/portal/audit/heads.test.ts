import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { noteRestore, writeHead } from '@/lib/portal/audit/heads/write'
import { recordAudit } from '@/lib/portal/audit/record'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { closeDatabase, db } from '@/lib/portal/base/db'
import { findOrCreateSecret } from '@/lib/portal/custody/secrets'
import { retire, rotate } from '@/lib/portal/entry/key-acts'
import { testEngine } from '@/tests/support/engine'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { forgetProcess as forget } from '@/tests/support/reset-process'

afterEach(() => {
  vi.useRealTimers()
  forget()
})

async function record(count: number) {
  for (let n = 0; n < count; n += 1) {
    const event = { teamId: null, actor: { kind: 'nobody' }, action: 'session.signIn', stage: 'event', outcome: 'failed' } as const
    await recordAudit({ ...event, object: { kind: 'user', id: null } })
  }
}

const passMinutes = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
const cutAfter = (seq: number) => db().auditRow.deleteMany({ where: { seq: { gt: seq } } })
const isoTime = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`

test('security 51: entries cut off the end since the newest head are detected, with how far the log went and when', async () => {
  await using portal = await openPortalDatabase()
  await record(5)
  await writeHead()
  expect(statSync(portal.settings.portalAuditHeads).mode & 0o777).toBe(0o600)
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 5 })
  await cutAfter(3)
  const why = expect.stringMatching(new RegExp(`^Entries at the end are missing: on ${isoTime} there were 5\\.$`))
  expect(await verifyAudit()).toEqual({ ok: false, badSeq: 4, why })
})

test('security 51: deleting all entries, or all entries and every sub-key, is detected', async () => {
  await using _ = await openPortalDatabase()
  await record(5)
  await writeHead()
  await cutAfter(0)
  expect(await verifyAudit()).toMatchObject({ ok: false, badSeq: 1 })
  await db().sealedSecret.deleteMany()
  forget()
  expect(await verifyAudit()).toMatchObject({ ok: false, badSeq: 1, why: expect.stringContaining('there were 5') })
  // The portal continued with keys that it made.
  await record(2)
  await writeHead()
  forget()
  expect(await verifyAudit()).toMatchObject({ ok: false, badSeq: 1, why: expect.stringContaining('there were 5') })
  await record(4)
  expect(await verifyAudit()).toMatchObject({
    ok: false,
    badSeq: 1,
    why: expect.stringMatching(/^Entries after 0 were replaced/),
  })
})

test('security 51: entries cut off and replaced by others are detected by the heads that cover them', async () => {
  await using _ = await openPortalDatabase()
  await record(3)
  await writeHead()
  await record(3)
  await writeHead()
  await cutAfter(4)
  await record(9)
  await writeHead()
  const verdict = await verifyAudit()
  expect(verdict).toMatchObject({
    ok: false,
    badSeq: 4,
    why: expect.stringMatching(/^Entries after 3 were replaced: on .+ entry 6 was/),
  })
})

test('security 51: an empty log is a violation if there is an owner, and fine otherwise', async () => {
  await using _ = await openPortalDatabase()
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 0 })
  await db().team.create({ data: { id: 't1', name: 'Team' } })
  await db().user.create({ data: { id: 'u1', email: 'a@example.org', name: 'A', passwordHash: 'x' } })
  await db().membership.create({ data: { userId: 'u1', teamId: 't1', role: 'owner' } })
  expect(await verifyAudit()).toEqual({ ok: false, badSeq: 1, why: 'There is an owner, but the audit log is empty.' })
})

test('security 51: a log without its key is a violation', async () => {
  await using _ = await openPortalDatabase()
  await record(2)
  await db().sealedSecret.deleteMany({ where: { id: 'audit.1' } })
  forget()
  expect(await verifyAudit()).toEqual({ ok: false, badSeq: 1, why: 'The key of the audit log is missing from the database.' })
})

test('security 51: a missing head file is detected, also after the portal has started another one', async () => {
  await using portal = await openPortalDatabase()
  await record(5)
  // Nobody had the time yet.
  expect(await verifyAudit()).toMatchObject({ ok: true })
  await writeHead()
  await cutAfter(3)
  await db().sealedSecret.updateMany({ data: { createdAt: new Date(Date.now() - 3_600_000) } })
  rmSync(portal.settings.portalAuditHeads)
  passMinutes(4)
  expect(await verifyAudit()).toMatchObject({ ok: false, badSeq: 4, why: expect.stringMatching(/audit-heads is missing/) })
  for (const restarted of [false, true]) {
    if (restarted) forget()
    await record(1)
    await writeHead()
    expect(await verifyAudit()).toMatchObject({
      ok: false,
      why: expect.stringMatching(/^The file of signed heads was missing on .+ and started again at entry 4\.$/),
    })
  }
})

test('a log from before heads existed is reported as such once the first head is written', async () => {
  await using _ = await openPortalDatabase()
  await record(3)
  await writeHead()
  const notes = [expect.stringMatching(new RegExp(`^The signed heads begin on ${isoTime}, at entry 3\\.$`))]
  expect(await verifyAudit()).toMatchObject({ ok: true, notes })
})

test('an interrupted write loses only its own line; a changed line is reported', async () => {
  await using portal = await openPortalDatabase()
  const file = portal.settings.portalAuditHeads
  await record(2)
  await writeHead()
  await record(2)
  await writeHead()
  truncateSync(file, statSync(file).size - 20)
  await record(2)
  await writeHead()
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 6, notes: [expect.anything(), expect.stringContaining('1 line of ')] })
  const whole = readFileSync(file, 'utf8')
  appendFileSync(file, `${JSON.stringify({ kind: 'put-back', at: new Date().toISOString(), seq: 1, row: 'x', lost: 5, mac: 'ab' })}\n`)
  expect(await verifyAudit()).toMatchObject({ ok: false, badSeq: 7, why: expect.stringMatching(/^Line 5 of .+ was changed\.$/) })
  writeFileSync(file, whole.replace('"seq":6', '"seq":5'))
  expect(await verifyAudit()).toMatchObject({ ok: false, why: expect.stringMatching(/^Line 4 of .+ was changed\.$/) })
})

test('security 7: heads from before a rotation stay valid, also without the old key and the database row', async () => {
  await using portal = await openPortalDatabase()
  await record(3)
  await writeHead()
  await rotate()
  await db().keyEncryptionKey.updateMany({ where: { state: 'active' }, data: { createdAt: new Date(Date.now() - 11 * 60_000) } })
  await retire()
  rmSync(portal.settings.portalOldKekFile)
  await db().sealedSecret.deleteMany({ where: { id: 'auditHead.1' } })
  forget()
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 7 })
  await writeHead()
  await cutAfter(2)
  expect(await verifyAudit()).toMatchObject({ ok: false, badSeq: 3 })
  expect(await db().sealedSecret.count({ where: { id: 'auditHead.1' } })).toBe(1)
})

test('a deliberately restored log is reported as such, and a later cut is detected', async () => {
  await using _ = await openPortalDatabase()
  await record(3)
  await writeHead()
  await record(5)
  await writeHead()
  const older = await db().auditRow.findFirstOrThrow({ where: { seq: 4 } })
  forget()
  await noteRestore({ to: { seq: 4, row: older.mac }, lastSeq: 9, shared: 4 })
  await cutAfter(4)
  forget()
  const told = expect.stringMatching(new RegExp(`^The log was restored to entry 4 on ${isoTime}, which dropped 5 entries\\.$`))
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 4, notes: [expect.anything(), told] })
  await record(6)
  await writeHead()
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 10 })
  await cutAfter(8)
  expect(await verifyAudit()).toMatchObject({ ok: false, badSeq: 9 })
})

test('a head that cannot be written stops nothing; verify names the entries without one until the next one is written', async () => {
  await using portal = await openPortalDatabase()
  const file = portal.settings.portalAuditHeads
  await record(2)
  await writeHead()
  const whole = readFileSync(file)
  rmSync(file)
  mkdirSync(file)
  await record(2)
  await writeHead()
  rmSync(file, { recursive: true })
  writeFileSync(file, whole)
  passMinutes(4)
  const told = expect.stringMatching(/^Entries after 2, up to 4, have no signed head yet; the first of them was written on /)
  expect(await verifyAudit()).toMatchObject({ ok: true, notes: [expect.anything(), told] })
  await writeHead()
  expect(await verifyAudit()).toMatchObject({ ok: true, notes: [expect.anything()] })
})

test('without new entries no further head is written', async () => {
  await using portal = await openPortalDatabase()
  await writeHead()
  await record(1)
  await writeHead()
  const { size } = statSync(portal.settings.portalAuditHeads)
  await Promise.all([writeHead(), writeHead()])
  expect(statSync(portal.settings.portalAuditHeads).size).toBe(size)
})

test('a first start killed between creating the head key and the first line is not a violation', async () => {
  await using _ = await openPortalDatabase()
  await record(2)
  await findOrCreateSecret('auditHead')
  forget()
  await writeHead()
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 2 })
})

// A backup on PostgreSQL is another file: docs/decisions/083-postgresql.md.
test.skipIf(testEngine === 'postgresql')(
  'restoring a log and returning to the newer one is not a violation, and a later cut is detected',
  async () => {
    await using portal = await openPortalDatabase()
    const file = portal.settings.portalDatabase
    const reopen = async (from: string) => {
      await closeDatabase()
      forget()
      copyFileSync(from, file)
    }
    const keep = async (name: string) => {
      await closeDatabase()
      const copy = `${file}.${name}`
      copyFileSync(file, copy)
      return copy
    }
    const lastRow = async () => {
      const last = await db().auditRow.findFirstOrThrow({ orderBy: { seq: 'desc' } })
      return { seq: last.seq, row: last.mac }
    }
    await record(4)
    await writeHead()
    const [early, earlyEnd] = [await keep('early'), await lastRow()]
    await record(4)
    await writeHead()
    const [late, lateEnd] = [await keep('late'), await lastRow()]
    await noteRestore({ to: earlyEnd, lastSeq: lateEnd.seq, shared: 4 })
    await reopen(early)
    await record(3)
    await writeHead()
    expect(await verifyAudit()).toMatchObject({ ok: true, rows: 7 })
    await noteRestore({ to: lateEnd, lastSeq: 7, shared: 4 })
    await reopen(late)
    await record(1)
    await writeHead()
    expect(await verifyAudit()).toMatchObject({ ok: true, rows: 9 })
    await cutAfter(8)
    expect(await verifyAudit()).toMatchObject({ ok: false, badSeq: 9 })
  },
)
