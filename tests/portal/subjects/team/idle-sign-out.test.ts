/** After how long without activity members are signed out. */
import { expect, test } from 'vitest'
import { formatIdle } from '@/app/_ui/dates'
import { problem } from '@/lib/contract/problem'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { idleChoices, readIdleMinutes, setIdleSignOut } from '@/lib/portal/subjects/team/idle-sign-out'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const set = (actor: Actor, minutes: string) => setIdleSignOut(inputOf(actor, { minutes }))

test('security 18: it is 30 minutes until an owner chooses another time, after a fresh sign-in', async () => {
  await using portal = await openPortalDatabase()
  const owner = await (await createTeam()).join('owner')
  const stranger = await (await createTeam('Another')).join('owner')
  expect(await readIdleMinutes(owner)).toBe(30)
  for (const minutes of ['0', '45', '-5', '', '100000', 'never'])
    expect(await set(owner, minutes)).toMatchObject({ problem: { code: 'invalid' } })
  const stale = inputOf(owner, { minutes: '480' }, { stepUp: async () => problem('invalid', { fields: { password: 'Confirm' } }) })
  expect((await setIdleSignOut(stale)).ok).toBe(false)
  expect(await readIdleMinutes(owner)).toBe(30)
  expect(await set(owner, '480')).toEqual({ ok: true, data: null })
  expect([await readIdleMinutes(owner), await readIdleMinutes(stranger)]).toEqual([480, 30])
  const rows = await portal.db.auditRow.findMany({ where: { stage: 'outcome' } })
  expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(['team.setIdleSignOut done'])
})

test.each(['admin', 'operator', 'viewer'] as const)('security 23: the time is not changed by the role %s', async (role) => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join(role)
  expect(await set(actor, '480')).toMatchObject({ problem: { code: 'forbidden' } })
  expect(await readIdleMinutes(actor)).toBe(30)
})

test('each choice reads as a time', () => {
  expect(idleChoices.map(formatIdle)).toEqual(['5 minutes', '15 minutes', '30 minutes', '1 hour', '2 hours', '4 hours', '8 hours'])
})
