import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countCodes, takeRecoveryCode } from '@/lib/portal/identity/second-factor/recovery-codes'
import { confirmTotp, findTotp, removeTotp, renewCodes, startTotp } from '@/lib/portal/identity/second-factor/totp'
import { findCode, takeCode } from '@/lib/portal/identity/second-factor/totp-code'
import { createRowId } from '@/lib/portal/identity/token'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addActor, addActorWithApp, scan } from './authenticator'

// In the middle of a time step, so that no test crosses into the next one.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 5_000 }))
afterEach(() => void vi.useRealTimers())

const confirmedCode = (userId: string, typed: string) => findCode({ userId, confirmed: true }, typed)
async function accepts(userId: string, typed: string): Promise<boolean> {
  const found = await confirmedCode(userId, typed)
  return found !== null && takeCode(found)
}

test('an app counts once a code of it was entered; before that, starting again replaces the seed', async () => {
  await using _ = await openPortalDatabase()
  const { person, actor } = await addActor()
  const first = await startTotp(actor, createRowId())
  const second = await startTotp(actor, createRowId())
  if (!first.ok || !second.ok) throw new Error('The set-up was refused.')
  expect(second.data.qr.path).toMatch(/^M\d/)
  expect(await findTotp(person.userId)).toBeNull()
  expect(await confirmTotp(actor, scan(first.data.secret).codeAt(0), createRowId())).toMatchObject({
    problem: { fields: { code: expect.stringContaining('wrong') } },
  })
  const confirmed = await confirmTotp(actor, scan(second.data.secret).codeAt(0), createRowId())
  expect(confirmed.ok && new Set(confirmed.data.codes).size).toBe(10)
  expect([(await findTotp(person.userId))?.since, await countCodes(person.userId)]).toEqual([expect.any(String), 10])
  expect(await startTotp(actor, createRowId())).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } })
})

test('security 14: of 50 uses of one code at once one succeeds, and the code before it is refused afterwards', async () => {
  await using _ = await openPortalDatabase()
  const { person, app } = await addActorWithApp()
  const uses = await Promise.all(Array.from({ length: 50 }, () => accepts(person.userId, app.codeAt(0))))
  expect(uses.filter(Boolean)).toHaveLength(1)
  expect(await accepts(person.userId, app.codeAt(0))).toBe(false)
  expect(await accepts(person.userId, app.codeAt(-1))).toBe(false)
  expect(await accepts(person.userId, app.codeAt(1))).toBe(true)
})

test('security 14: a code is valid one step early and late, not two', async () => {
  await using _ = await openPortalDatabase()
  const { person, app } = await addActorWithApp()
  expect(await accepts(person.userId, app.codeAt(-2))).toBe(false)
  expect(await accepts(person.userId, app.codeAt(2))).toBe(false)
  expect(await accepts(person.userId, app.codeAt(1))).toBe(true)
})

test('security 14: spaces in a code do not matter; whatever is not six digits is refused', async () => {
  await using _ = await openPortalDatabase()
  const { person, app } = await addActorWithApp()
  const code = app.codeAt(0)
  const fullWidth = code.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
  const wrong = [
    fullWidth,
    code.slice(1),
    `${code}0`,
    '',
    ' ',
    `-${code.slice(1)}`,
    `${code}\u0000`,
    '1e5000',
    '０'.repeat(4000),
    '{"a":1}',
  ]
  for (const typed of wrong) expect([typed, await confirmedCode(person.userId, typed)]).toEqual([typed, null])
  expect(await accepts(person.userId, ` ${code.slice(0, 3)} ${code.slice(3)}\n`)).toBe(true)
})

test('security 15: of 50 uses of one recovery code at once one succeeds; new ones replace all, and all die with the last second factor', async () => {
  await using portal = await openPortalDatabase()
  const { person, actor, codes } = await addActorWithApp()
  const [first = '', second = '', third = ''] = codes
  const uses = await Promise.all(Array.from({ length: 50 }, () => takeRecoveryCode(person.userId, ` ${first.toLowerCase()}`)))
  expect(uses.filter(Boolean)).toHaveLength(1)
  expect(await countCodes(person.userId)).toBe(9)
  const renewed = await renewCodes(actor, createRowId())
  expect(await takeRecoveryCode(person.userId, second)).toBe(false)
  expect(await removeTotp(actor, createRowId())).toEqual({ ok: true, data: null })
  for (const code of [third, ...(renewed.ok ? renewed.data.codes : [])]) expect(await takeRecoveryCode(person.userId, code)).toBe(false)
  expect(await portal.db.recoveryCode.count()).toBe(0)
  expect(await renewCodes(actor, createRowId())).toMatchObject({ problem: { code: 'not_found' } })
})

test('the audit log has each change, and neither seed nor recovery codes', async () => {
  await using portal = await openPortalDatabase()
  const { actor, app, codes } = await addActorWithApp()
  await removeTotp(actor, createRowId())
  const rows = await portal.db.auditRow.findMany({ where: { action: { startsWith: 'person.' } }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, stage, outcome }) => `${action} ${stage} ${outcome}`)).toEqual([
    'person.startTotp intent asked',
    'person.startTotp outcome done',
    'person.addTotp intent asked',
    'person.addTotp outcome done',
    'person.removeTotp intent asked',
    'person.removeTotp outcome done',
  ])
  const logged = JSON.stringify(await portal.db.auditRow.findMany())
  for (const secret of [app.secret, app.secret.replaceAll(' ', ''), ...codes]) expect(logged).not.toContain(secret)
})

test('security 12: the first code of an app is throttled like the others, and its seed expires after 15 minutes', async () => {
  await using _ = await openPortalDatabase()
  const { actor } = await addActor()
  const start = async () => {
    const started = await startTotp(actor, createRowId())
    return scan(started.ok ? started.data.secret : '')
  }
  const former = await start()
  vi.setSystemTime(Date.now() + 16 * 60_000)
  expect(await confirmTotp(actor, former.codeAt(0), createRowId())).toMatchObject({ problem: { code: 'invalid' } })
  const app = await start()
  for (let n = 0; n < 4; n += 1) expect(await confirmTotp(actor, '000000', createRowId())).toMatchObject({ problem: { code: 'invalid' } })
  expect(await confirmTotp(actor, app.codeAt(0), createRowId())).toMatchObject({ problem: { code: 'too_many' } })
  vi.setSystemTime(Date.now() + 60_000)
  expect(await confirmTotp(actor, app.codeAt(0), createRowId())).toMatchObject({ ok: true })
})
