/** Access that was given with a loan, or ended with it, has the undo of any change of access; the loan has none. */
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { startJob } from '@/lib/portal/jobs/start'
import { endLoan, lendConnection } from '@/lib/portal/subjects/lending/change'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { inputOf } from '@/tests/support/own-input'
import { give } from '../grants/scene'
import { openLending } from './scene'

async function openLent() {
  const scene = await openLending()
  const { owner, team, upstream } = scene
  const guest = await team.join('guest')
  const connectionId = await team.connect(upstream, { ownerId: owner.user.id, label: 'The owner’s key' })
  await listSites(owner)
  const what = { subjects: 'logs', effects: 'read', root: '', where: 'named', names: 'shop.heron.example', until: '', why: '' }
  const lent = await lendConnection(inputOf(owner, { connectionId, to: `member ${guest.user.id}`, access: '1', ...what }))
  expect(lent).toMatchObject({ ok: true })
  /** The newest undo that Activity offers. */
  const undo = async () => {
    const { entries } = await readActivity(owner, readFilter({ kind: 'accounts' }), 'UTC', 50)
    const offer = entries.map(({ mark }) => mark?.undo).find((each) => each)
    return offer ? undoChange(owner, offer.id, createOpaqueId(), startJob) : null
  }
  const ends = async () => (await db().grant.findMany({ where: { userId: guest.user.id } })).map(({ until }) => until)
  return { ...scene, guest, loanId: lent.ok ? lent.data.loanId : '', undo, ends }
}

const lasting = () => db().loan.count({ where: { until: null } })

test('Activity undoes the access that a loan gave, and the loan stays', async () => {
  await using scene = await openLent()
  expect(await scene.ends()).toEqual([null])
  expect(await scene.undo()).toMatchObject({ ok: true, data: { message: 'The access was ended again.' } })
  expect([await scene.ends(), await lasting()]).toEqual([[expect.any(Date)], 1])
})

test('Activity undoes the end of the access that ended with a loan: of several that gave the same, the one that lasted longest', async () => {
  await using scene = await openLent()
  const { owner, guest, loanId } = scene
  const shop = { kind: 'site', id: scene.idOf('shop.heron.example') } as const
  await give(guest, shop, { subjects: ['logs'], until: new Date(Date.now() + 3_600_000) })
  expect(await endLoan(inputOf(owner, { loanId, access: '1' }))).toMatchObject({ ok: true })
  expect([(await scene.ends()).includes(null), await lasting()]).toEqual([false, 0])
  expect(await scene.undo()).toMatchObject({ ok: true, data: { message: 'The access is as it was before.' } })
  expect([(await scene.ends()).filter((until) => until === null).length, await lasting()]).toEqual([1, 0])
})

test('of a loan that was not ended, nothing can be undone', async () => {
  await using scene = await openLent()
  const { owner, loanId } = scene
  const before = await db().undo.count()
  const meanwhile = async () => ((await endLoan(inputOf(owner, { loanId }))).ok ? null : problem('internal'))
  const ended = await endLoan(inputOf(owner, { loanId, access: '1' }, { stepUp: meanwhile }))
  expect(ended).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } })
  expect([await db().undo.count(), await scene.ends()]).toEqual([before, [null]])
})
