import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { removeTotp } from '@/lib/portal/identity/second-factor/totp'
import { createRowId } from '@/lib/portal/identity/token'
import { readSecondFactorRule, setSecondFactorRule } from '@/lib/portal/subjects/team/sign-in-rules'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const set = (actor: Actor, required: string) => setSecondFactorRule(inputOf(actor, { required }))

const addApp = ({ user }: Actor) =>
  db().totp.create({ data: { userId: user.id, sealed: new Uint8Array(1), kekId: 'x', secretVersion: 1, confirmedAt: new Date() } })

test('security 21: an owner turns the rule on after a fresh sign-in, and only with a second factor of their own', async () => {
  await using portal = await openPortalDatabase()
  const owner = await (await createTeam()).join('owner')
  expect(await set(owner, 'yes')).toMatchObject({
    ok: false,
    problem: { code: 'forbidden', sentence: expect.stringMatching(/own account first/) },
  })
  expect(await readSecondFactorRule(owner)).toEqual({ on: false, refusal: expect.any(String) })
  await addApp(owner)
  const stale = inputOf(owner, { required: 'yes' }, { stepUp: async () => problem('invalid', { fields: { password: 'Confirm' } }) })
  expect((await setSecondFactorRule(stale)).ok).toBe(false)
  expect(await portal.db.team.count({ where: { requiresSecondFactor: true } })).toBe(0)
  expect((await set(owner, 'yes')).ok).toBe(true)
  expect(await readSecondFactorRule(owner)).toEqual({ on: true, refusal: null })
  expect((await set(owner, 'no')).ok).toBe(true)
  const rows = await portal.db.auditRow.findMany({ where: { stage: 'outcome' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'team.requireSecondFactor done',
    'team.waiveSecondFactor done',
  ])
})

test.each(['admin', 'operator', 'viewer'] as const)('security 23: the rule is not changed by the role %s', async (role) => {
  await using portal = await openPortalDatabase()
  const actor = await (await createTeam()).join(role)
  await addApp(actor)
  for (const required of ['yes', 'no', 'on']) expect([required, (await set(actor, required)).ok]).toEqual([required, false])
  expect(await portal.db.team.count({ where: { requiresSecondFactor: true } })).toBe(0)
})

test('of turning the rule on and removing the owner’s app at once, one is refused', async () => {
  await using portal = await openPortalDatabase()
  const owner = await (await createTeam()).join('owner')
  for (let n = 0; n < 5; n += 1) {
    await portal.db.totp.deleteMany()
    await addApp(owner)
    await portal.db.team.updateMany({ data: { requiresSecondFactor: false } })
    const both = await Promise.all([set(owner, 'yes'), removeTotp(owner, createRowId())])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  }
})
