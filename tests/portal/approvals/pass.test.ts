/** An owner who goes without a second person: with a reason, and every owner is notified. */
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { passHeld } from '@/lib/portal/approvals/approve'
import { findHeldView } from '@/lib/portal/approvals/view'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { describeNotification } from '@/lib/portal/views/notifications/sentences'
import { add, limitTo, minute, startClock } from '@/tests/portal/delivery/scene'
import { startHookReceiver } from '@/tests/support/hook-receiver'
import { inputOf } from '@/tests/support/own-input'
import { heldIdOf, openScene, readHeld } from './scene'

const reason = 'The disk is full and nobody answers'

async function pass(by: Person, heldId: string, more: { reason?: string; stale?: boolean } = {}) {
  const { digest } = await readHeld(heldId)
  const stale = { stepUp: async () => problem('invalid', { fields: { password: 'Confirm your password to continue.' } }) }
  return passHeld(inputOf(by, { heldId, digest, reason: more.reason ?? reason }, more.stale ? stale : {}))
}

test('security 63: an owner goes without a second person, with a reason and a fresh sign-in; every owner is notified, and the audit log says so', async () => {
  await using scene = await openScene()
  const { owner, team, ask, sent } = scene
  const other = await team.join('owner')
  const id = heldIdOf(await ask.setPassword(owner))
  expect((await findHeldView(owner, id))?.mayPass).toBe(true)
  expect(await pass(owner, id, { reason: 'because' })).toMatchObject({
    problem: { code: 'invalid', fields: { reason: expect.any(String) } },
  })
  expect(await pass(owner, id, { stale: true })).toMatchObject({ problem: { code: 'invalid' } })
  expect(sent()).toEqual([])
  expect(await pass(owner, id)).toEqual({ ok: true, data: { page: null } })
  expect(sent()).toHaveLength(1)
  expect(await readHeld(id)).toMatchObject({ state: 'sent', sealed: null, reason })
  const told = await db().notification.findMany({ where: { kind: 'approval_passed' } })
  expect(told.map(({ userId }) => userId).sort()).toEqual([owner.user.id, other.user.id].sort())
  expect(describeNotification('approval_passed', JSON.parse(told[0]?.detail ?? '{}'))).toContain(reason)
  const rows = await db().auditRow.findMany({ where: { action: 'approval.pass' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual(['intent asked', 'outcome done'])
  expect(JSON.parse(rows[0]?.detail ?? '{}')).toMatchObject({ why: reason, digest: (await readHeld(id)).digest })
})

test('security 63: an owner whose access has nothing of it is notified as well, in the bell and by their channel', async () => {
  await using scene = await openScene()
  await using receiver = await startHookReceiver()
  const { owner, team, ask, idOf } = scene
  const other = await team.join('owner')
  await limitTo(other, idOf('beta'))
  await add(other, { kind: 'webhook', url: `${receiver.origin}/hook`, topics: 'approvals' })
  expect(await pass(owner, heldIdOf(await ask.setPassword(owner)))).toMatchObject({ ok: true })
  const says = expect.stringMatching(new RegExp(`^The owner did this without a second person: .* Reason: ${reason}$`))
  expect((await listNotifications(other)).items.map(({ text }) => text)).toEqual([says])
  await startClock().pass(2 * minute)
  expect(receiver.received.flatMap(({ body }) => JSON.parse(body).events)).toMatchObject([{ kind: 'approval_passed', text: says }])
})

test('security 63: nobody else goes without: neither an admin or operator for their own request, nor an owner for another member’s', async () => {
  await using scene = await openScene()
  const { owner, asker, approver, team, ask, sent } = scene
  const [operators, admins, owners] = [await ask.setPassword(asker), await ask.setPassword(approver), await ask.setPassword(owner)].map(
    heldIdOf,
  )
  const other = await team.join('owner')
  for (const [by, id] of [
    [asker, operators],
    [approver, admins],
    [owner, operators],
    [other, owners],
    [approver, owners],
  ] as const) {
    expect(await pass(by, id ?? '')).toMatchObject({ problem: { code: 'forbidden' } })
  }
  await db().membership.updateMany({ where: { userId: owner.user.id }, data: { role: 'admin' } })
  expect((await pass(owner, owners ?? '')).ok).toBe(false)
  expect(sent()).toEqual([])
  expect(await db().notification.count({ where: { kind: 'approval_passed' } })).toBe(0)
})
