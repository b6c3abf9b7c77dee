/** A held request that is approved for a chosen time. */
import { afterEach, expect, test, vi } from 'vitest'
import { settleSending } from '@/lib/portal/approvals/expire'
import { sendDue } from '@/lib/portal/approvals/later'
import { refuseHeld, withdrawHeld } from '@/lib/portal/approvals/refuse'
import { findHeldView } from '@/lib/portal/approvals/view'
import { db } from '@/lib/portal/base/db'
import { endSessionsOf } from '@/lib/portal/identity/session'
import type { Prisma } from '@/prisma/generated/portal/client'
import { inputOf } from '@/tests/support/own-input'
import { approve, heldIdOf, openScene, readHeld, type Scene } from './scene'

const hour = 3_600_000

afterEach(() => void vi.useRealTimers())

const setClock = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: ms })

async function scheduled(scene: Scene) {
  const id = heldIdOf(await scene.ask.setPassword())
  const sendAt = new Date(Date.now() + 5 * hour)
  expect(await approve(scene.approver, id, { sendAt: sendAt.toISOString() })).toEqual({ ok: true, data: { page: null } })
  return { id, at: sendAt.getTime() }
}

test('security 63: it is sent at the chosen time, to the millisecond, and once', async () => {
  await using scene = await openScene()
  const { id, at } = await scheduled(scene)
  expect(await findHeldView(scene.asker, id)).toMatchObject({ state: 'approved', sendAt: new Date(at).toISOString() })
  setClock(at - 1)
  await sendDue()
  expect(scene.sent()).toEqual([])
  setClock(at)
  await Promise.all([sendDue(), sendDue()])
  await sendDue()
  expect(scene.sent()).toHaveLength(1)
  expect(await readHeld(id)).toMatchObject({ state: 'sent', sealed: null, decidedById: scene.approver.user.id })
})

test('security 63: while it is being sent it cannot be stopped, settled or sent again, also if that begins late', async () => {
  await using scene = await openScene()
  const { ask, approver, asker, owner, upstream } = scene
  await approve(approver, heldIdOf(await ask.setPassword()))
  const saves = () => upstream.calls.filter(({ path }) => path.endsWith('/savesystemuser'))
  const path = saves()[0]?.path ?? ''
  const { id, at } = await scheduled(scene)
  upstream.set('hang', { path })
  setClock(at + hour / 2)
  const sending = sendDue()
  await expect.poll(() => saves().length).toBe(2)
  expect((await withdrawHeld(inputOf(asker, { heldId: id }))).ok).toBe(false)
  expect((await refuseHeld(inputOf(owner, { heldId: id, reason: '' }))).ok).toBe(false)
  expect((await approve(owner, id)).ok).toBe(false)
  await settleSending(new Date(Date.now() - hour / 6))
  await sendDue()
  expect((await readHeld(id)).state).toBe('sending')
  upstream.cut()
  await sending
  expect(await readHeld(id)).toMatchObject({ state: 'unknown', sealed: null })
  expect(saves()).toHaveLength(2)
})

test('a time that is over, too far, or none is refused', async () => {
  await using scene = await openScene()
  const id = heldIdOf(await scene.ask.setPassword())
  for (const sendAt of [new Date(Date.now() - 1).toISOString(), new Date(Date.now() + 8 * 24 * hour).toISOString(), 'incomplete']) {
    expect(await approve(scene.approver, id, { sendAt })).toMatchObject({
      problem: { code: 'invalid', fields: { sendAt: expect.any(String) } },
    })
  }
  expect((await readHeld(id)).state).toBe('waiting')
})

test('it can be withdrawn or refused until then, and is not sent long after its time', async () => {
  await using scene = await openScene()
  const [withdrawn, refused, late] = [await scheduled(scene), await scheduled(scene), await scheduled(scene)]
  expect((await withdrawHeld(inputOf(scene.asker, { heldId: withdrawn.id }))).ok).toBe(true)
  expect((await refuseHeld(inputOf(scene.owner, { heldId: refused.id, reason: '' }))).ok).toBe(true)
  setClock(late.at + hour + 1)
  await sendDue()
  expect(scene.sent()).toEqual([])
  expect(await readHeld(late.id)).toMatchObject({ state: 'failed', sealed: null })
})

test('security 63: if either of the two lost the right meanwhile, or anything was altered, it is not sent', async () => {
  await using scene = await openScene()
  const { asker, approver, owner } = scene
  const alter = (data: Prisma.HeldRequestUncheckedUpdateManyInput) => (id: string) => db().heldRequest.updateMany({ where: { id }, data })
  const role = (userId: string, given: 'viewer' | 'operator' | 'admin') =>
    db().membership.updateMany({ where: { userId }, data: { role: given } })
  const cases: [(id: string) => Promise<unknown>, () => Promise<unknown>][] = [
    [() => role(approver.user.id, 'viewer'), () => role(approver.user.id, 'admin')],
    [() => role(asker.user.id, 'viewer'), () => role(asker.user.id, 'operator')],
    [
      () => endSessionsOf(approver.user.id),
      () => db().session.updateMany({ where: { userId: approver.user.id }, data: { revokedAt: null } }),
    ],
    [alter({ sendAt: new Date() }), async () => null],
    [alter({ decidedById: owner.user.id }), async () => null],
    [alter({ askedAt: new Date(0) }), async () => null],
    [alter({ digest: 'A'.repeat(43) }), async () => null],
    [alter({ action: 'users.delete' }), async () => null],
  ]
  for (const [make, restore] of cases) {
    vi.useRealTimers()
    const { id, at } = await scheduled(scene)
    await make(id)
    setClock(at)
    await sendDue()
    expect(await readHeld(id)).toMatchObject({ state: 'failed', sealed: null })
    await restore()
  }
  expect(scene.sent()).toEqual([])
})
