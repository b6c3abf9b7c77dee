/** Giving, changing and ending access is undone while nobody has changed it since, by those who may change it, once. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { changeAccess, endAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { inputOf } from '@/tests/support/own-input'
import { codeOf, give, openScene } from './scene'

const backups = {
  subjects: 'backups',
  effects: 'read,change',
  root: '',
  where: 'named',
  names: 'shop.heron.example, heron-1',
  from: '',
  until: '',
  why: 'Ticket 12',
}

const undo = (actor: Person, id: string) => undoChange(actor, id, createOpaqueId(), startJob)

const stored = () => db().grant.findMany({ include: { scopes: { orderBy: { about: 'asc' } } }, orderBy: { id: 'asc' } })

type Made = { ok: true; data: { grantId: string; undo: string | null } } | { ok: false; problem: object }

const dataOf = (outcome: Made) => {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problem))
  return { grantId: outcome.data.grantId, undoId: outcome.data.undo ?? '' }
}

test('each is undone once, to what it was, and counts at once; the member is notified and the audit log marks it', async () => {
  await using scene = await openScene()
  const [admin, guest, siteId] = [await scene.team.join('admin'), await scene.team.join('guest'), scene.idOf('shop.heron.example')]
  const code = () => codeOf(guest, contract.backups.list, { siteId })
  const { grantId, undoId: given } = dataOf(await giveAccess(inputOf(scene.owner, { to: `member ${guest.user.id}`, ...backups })))
  const before = await stored()
  const changed = dataOf(
    await changeAccess(inputOf(scene.owner, { ...backups, grantId, subjects: 'logs', names: 'otter-1', why: '', effects: 'read' })),
  )
  expect(await code()).toBe('not_found')
  expect(await undo(admin, changed.undoId)).toMatchObject({ ok: true, data: { message: 'The access is as it was before.' } })
  expect(await stored()).toEqual(before)
  expect(await code()).toBe('ok')
  expect(await undo(scene.owner, changed.undoId)).toMatchObject({ problem: { sentence: 'This was already undone by The admin.' } })

  const ended = dataOf(await endAccess(inputOf(scene.owner, { grantId })))
  expect(await code()).toBe('not_found')
  expect(await undo(scene.owner, ended.undoId)).toMatchObject({ ok: true })
  expect(await stored()).toEqual(before)

  expect(await undo(scene.owner, given)).toMatchObject({ ok: true, data: { message: 'The access was ended again.' } })
  expect(await code()).toBe('not_found')
  const { entries } = await readActivity(scene.owner, readFilter({ kind: 'accounts' }), 'UTC', 50)
  const what = 'view and change the backups of heron-1 and shop.heron.example'
  expect(entries[0]).toMatchObject({
    description: `Ended the access of ${guest.user.email} to ${what}`,
    undoes: { description: expect.stringContaining(`Gave ${guest.user.email} access to`) },
  })
  expect(entries.filter(({ mark }) => mark?.undone).length).toBe(3)
  const texts = (await listNotifications(guest)).items.map(({ text }) => text)
  expect(texts).toContain(`The owner ended your access to ${what}.`)
  expect(texts).toContain(`The admin changed access of yours: you can ${what}.`)
  expect((await verifyAudit()).ok).toBe(true)
})

test('what was changed again meanwhile stays; an owner’s access is not for an admin; others are refused and offered nothing', async () => {
  await using scene = await openScene()
  const [admin, operator, guest, second] = [
    await scene.team.join('admin'),
    await scene.team.join('operator'),
    await scene.team.join('guest'),
    await scene.team.join('owner'),
  ]
  const { grantId, undoId } = dataOf(await giveAccess(inputOf(scene.owner, { to: `member ${guest.user.id}`, ...backups })))
  const offered = async (actor: Person, filter: Record<string, string> = { kind: 'accounts' }) =>
    (await readActivity(actor, readFilter(filter), 'UTC', 50)).entries.filter(({ mark }) => mark?.undo).map(({ mark }) => mark?.undo?.id)
  expect(await offered(admin)).toEqual([undoId])
  for (const actor of [operator, guest]) {
    expect(await offered(actor)).toEqual([])
    expect(await undo(actor, undoId)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  }
  dataOf(await changeAccess(inputOf(admin, { ...backups, grantId, names: 'shop.heron.example' })))
  const before = await stored()
  expect(await undo(scene.owner, undoId)).toMatchObject({
    problem: { code: 'changed_meanwhile', sentence: 'The access was changed again meanwhile, so it stays as it is.' },
  })
  expect(await stored()).toEqual(before)

  const own = dataOf(await giveAccess(inputOf(scene.owner, { to: `member ${second.user.id}`, ...backups })))
  expect(await undo(admin, own.undoId)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  const old = { ...scene.owner, stepUpAt: new Date(0) }
  const unproven = await undoChange(old, own.undoId, createOpaqueId(), startJob, async () => ({
    code: 'invalid',
    sentence: 'Confirm your password.',
    fields: { password: 'Enter your password.' },
  }))
  expect(unproven).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  expect(await undo(scene.owner, own.undoId)).toMatchObject({ ok: true })
})

test('an admin with less than that brings nothing back, and with the member the access is gone', async () => {
  await using scene = await openScene()
  const [admin, guest] = [await scene.team.join('admin'), await scene.team.join('guest')]
  const grantId = await give(guest, { kind: 'everything' }, { effects: ['read', 'change'] })
  const { undoId } = dataOf(await endAccess(inputOf(scene.owner, { grantId })))
  await db().grant.deleteMany({ where: { userId: admin.user.id } })
  await give(admin, { kind: 'server', id: scene.idOf('heron-1') })
  expect(await undo(admin, undoId)).toMatchObject({
    problem: { code: 'forbidden', sentence: 'You cannot give more access than you have, nor for longer. An owner can.' },
  })
  await db().membership.deleteMany({ where: { userId: guest.user.id } })
  expect(await undo(scene.owner, undoId)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
})
