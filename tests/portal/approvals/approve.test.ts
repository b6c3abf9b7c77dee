/** Operations that need a second person: held, approved once by another member, and sent as they were asked for. */
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { toColumns } from '@/lib/portal/access/grants/stored'
import { approveHeld } from '@/lib/portal/approvals/approve'
import { expireAllHeld, settleSending } from '@/lib/portal/approvals/expire'
import { refuseHeld, withdrawHeld } from '@/lib/portal/approvals/refuse'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { rotateTo } from '@/lib/portal/custody/rotation'
import { retryJob } from '@/lib/portal/entry/retry-job'
import type { Person } from '@/lib/portal/identity/actor'
import { endSessionsOf } from '@/lib/portal/identity/session'
import { findJob } from '@/lib/portal/jobs/view'
import { waitForJob } from '@/lib/portal/jobs/wait'
import { runOperation } from '@/lib/portal/subjects/spine'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'
import { inputOf } from '@/tests/support/own-input'
import { approve, heldIdOf, openScene, readHeld } from './scene'

const minute = 60_000

test('security 63: what needs a second person is not sent until another member approves it, and then once, as it was asked for', async () => {
  await using scene = await openScene()
  const { ask, asker, approver, sent } = scene
  const asked = await ask.setPassword()
  expect(asked).toMatchObject({ ok: false, problem: { code: 'needs_approval', sentence: expect.stringContaining('alpha') } })
  expect(sent()).toEqual([])
  const id = heldIdOf(asked)
  expect(await approve(approver, id)).toEqual({ ok: true, data: { page: null } })
  expect(sent()).toHaveLength(1)
  const [call] = scene.upstream.calls.filter(({ path }) => path.endsWith('/savesystemuser'))
  expect(call?.fields).toMatchObject({ user: 'deploy', pass: 'correct-horse-battery' })
  expect(await readHeld(id)).toMatchObject({ state: 'sent', sealed: null, kekId: null, decidedById: approver.user.id })
  expect(await approve(approver, id)).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect(sent()).toHaveLength(1)
  const rows = await db().auditRow.findMany({ where: { action: { in: ['approval.ask', 'approval.approve', 'users.save'] } } })
  expect(rows.map(({ action, actorId, stage }) => [action, actorId, stage])).toEqual([
    ['approval.ask', asker.user.id, 'event'],
    ['approval.approve', approver.user.id, 'intent'],
    ['users.save', asker.user.id, 'intent'],
    ['users.save', asker.user.id, 'outcome'],
    ['approval.approve', approver.user.id, 'outcome'],
  ])
  const digests = rows.filter(({ action }) => action.startsWith('approval.')).map(({ detail }) => JSON.parse(detail).digest)
  expect(new Set(digests).size).toBe(1)
  expect(await verifyAudit()).toMatchObject({ ok: true })
})

test('slow work becomes a job of whoever asked, and that a server is deleted is recorded as if it had been sent at once', async () => {
  await using scene = await openScene()
  const { ask, asker, approver } = scene
  const approved = await approve(approver, heldIdOf(await ask.deleteSite()))
  const id = approved.ok ? (approved.data.page?.split('/').at(-1) ?? '') : ''
  await waitForJob(id)
  expect(await db().job.findUnique({ where: { id } })).toMatchObject({ state: 'done', startedById: asker.user.id })
  expect(scene.upstream.model.sites.has('71')).toBe(false)
  expect((await approve(approver, heldIdOf(await ask.deleteServer()))).ok).toBe(true)
  expect((await db().server.findUnique({ where: { id: scene.idOf('alpha') } }))?.goneAt).not.toBeNull()
})

test('a job that is started again with a second person is the newer one of the former, which is started again no more', async () => {
  await using scene = await openScene()
  const { asker, approver, team } = scene
  const [id, at] = [createOpaqueId(), new Date()]
  const row = {
    teamId: team.id,
    operation: 'servers.install',
    serverId: scene.idOf('alpha'),
    targetName: 'alpha',
    state: 'failed' as const,
  }
  await db().job.create({ data: { id, ...row, lease: '', startedAt: at, heardAt: at, endedAt: at } })
  const approved = await approve(approver, heldIdOf(await retryJob(inputOf(asker, { jobId: id }))))
  const newer = approved.ok ? (approved.data.page?.split('/').at(-1) ?? '') : ''
  expect(await findJob(asker, id)).toMatchObject({ repeatable: false, newer: { kind: 'job', id: newer } })
  expect(await retryJob(inputOf(asker, { jobId: id }))).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  await waitForJob(newer)
})

test('only what the rule lists is held, and only while it is on', async () => {
  await using scene = await openScene({ rule: 'deleteSites' })
  expect((await scene.ask.setPassword()).ok).toBe(true)
  heldIdOf(await scene.ask.deleteSite())
  await db().team.updateMany({ data: { secondPersonFor: '' } })
  const started = await scene.ask.deleteSite()
  await waitForJob(started.ok ? started.data.jobId : '')
  expect(scene.upstream.model.sites.has('71')).toBe(false)
})

test('security 63: two approvals at the same moment send once', async () => {
  await using scene = await openScene()
  const id = heldIdOf(await scene.ask.setPassword())
  const outcomes = await Promise.all([scene.approver, scene.owner, scene.approver, scene.owner].map((by) => approve(by, id)))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  expect(scene.sent()).toHaveLength(1)
})

test('security 63: nobody approves what they asked for, nor does a viewer, a guest, a member without the access or another team', async () => {
  await using scene = await openScene()
  const { team, asker, ask, sent } = scene
  const id = heldIdOf(await ask.setPassword())
  expect(await approve(asker, id)).toMatchObject({ problem: { code: 'forbidden' } })
  const limited = await team.join('admin')
  await db().grant.updateMany({
    where: { userId: limited.user.id },
    data: toColumns({ subjects: 'all', effects: ['read', 'change'], operations: [], root: false }),
  })
  for (const other of [await team.join('viewer'), await team.join('guest'), limited]) {
    expect(await approve(other, id)).toMatchObject({ problem: { code: 'not_found' } })
  }
  expect(sent()).toEqual([])
  expect((await readHeld(id)).state).toBe('waiting')
})

test('security 63: an approval needs a fresh sign-in and the digest that the page showed', async () => {
  await using scene = await openScene()
  const { approver, ask, sent } = scene
  const id = heldIdOf(await ask.setPassword())
  const { digest } = await readHeld(id)
  const stale = { stepUp: async () => problem('invalid', { fields: { password: 'Confirm your password to continue.' } }) }
  expect(await approveHeld(inputOf(approver, { heldId: id, digest }, stale))).toMatchObject({ problem: { code: 'invalid' } })
  expect(await approveHeld(inputOf(approver, { heldId: id, digest: '' }))).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect(sent()).toEqual([])
  expect((await readHeld(id)).state).toBe('waiting')
})

test('security 63: after 60 minutes it is over, to the millisecond, and nothing of it stays', async () => {
  await using scene = await openScene()
  const [late, swept] = [heldIdOf(await scene.ask.setPassword()), heldIdOf(await scene.ask.deleteServer())]
  const { askedAt } = await readHeld(late)
  vi.useFakeTimers({ toFake: ['Date'], now: askedAt.getTime() + 60 * minute })
  try {
    expect(await approve(scene.approver, late)).toMatchObject({ problem: { code: 'changed_meanwhile' } })
    vi.setSystemTime((await readHeld(swept)).askedAt.getTime() + 60 * minute - 1)
    await expireAllHeld()
    expect((await readHeld(swept)).state).toBe('waiting')
    vi.setSystemTime((await readHeld(swept)).askedAt.getTime() + 60 * minute)
    await expireAllHeld()
  } finally {
    vi.useRealTimers()
  }
  for (const id of [late, swept]) expect(await readHeld(id)).toMatchObject({ state: 'expired', sealed: null, kekId: null })
  expect(scene.sent()).toEqual([])
  expect(await db().auditRow.count({ where: { action: 'approval.expire' } })).toBe(2)
})

test('security 63: whoever asked and lost the right, the access or the session meanwhile: refused, and over', async () => {
  await using scene = await openScene()
  const { asker, approver, ask, team, sent } = scene
  const losses = [
    () => db().membership.updateMany({ where: { userId: asker.user.id, teamId: team.id }, data: { role: 'viewer' } }),
    () => db().grant.updateMany({ where: { userId: asker.user.id }, data: { until: new Date() } }),
    () => db().connection.updateMany({ data: { frozenAt: new Date() } }),
    () => endSessionsOf(asker.user.id),
  ]
  const [role, access, connection, session] = losses
  const gains = [
    () => db().membership.updateMany({ where: { userId: asker.user.id, teamId: team.id }, data: { role: 'operator' } }),
    () => db().grant.updateMany({ where: { userId: asker.user.id }, data: { until: null } }),
    () => db().connection.updateMany({ data: { frozenAt: null } }),
    () => db().session.updateMany({ where: { userId: asker.user.id }, data: { revokedAt: null } }),
  ]
  for (const [index, lose] of [role, access, connection, session].entries()) {
    const id = heldIdOf(await ask.setPassword())
    await lose?.()
    expect((await approve(approver, id)).ok).toBe(false)
    expect(await readHeld(id)).toMatchObject({ state: 'failed', sealed: null })
    await gains[index]?.()
  }
  expect(sent()).toEqual([])
})

test('whoever asked may be idle or have signed out when it is approved', async () => {
  await using scene = await openScene()
  const id = heldIdOf(await scene.ask.setPassword())
  await db().session.updateMany({ where: { id: scene.asker.sessionId }, data: { revokedAt: new Date(), signedOut: true } })
  expect((await approve(scene.approver, id)).ok).toBe(true)
  expect(scene.sent()).toHaveLength(1)
})

test('it is refused with a reason, or withdrawn by whoever asked; then it cannot be approved', async () => {
  await using scene = await openScene()
  const { asker, approver, ask, sent } = scene
  const [refused, withdrawn] = [heldIdOf(await ask.setPassword()), heldIdOf(await ask.deleteServer())]
  expect((await refuseHeld(inputOf(asker, { heldId: refused, reason: '' }))).ok).toBe(false)
  expect((await withdrawHeld(inputOf(approver, { heldId: withdrawn }))).ok).toBe(false)
  expect(await refuseHeld(inputOf(approver, { heldId: refused, reason: 'Not before Monday' }))).toEqual({ ok: true, data: null })
  expect(await withdrawHeld(inputOf(asker, { heldId: withdrawn }))).toEqual({ ok: true, data: null })
  expect(await readHeld(refused)).toMatchObject({ state: 'refused', reason: 'Not before Monday', sealed: null })
  expect(await readHeld(withdrawn)).toMatchObject({ state: 'withdrawn', sealed: null })
  for (const id of [refused, withdrawn]) expect(await approve(approver, id)).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect(sent()).toEqual([])
})

test('security 1: a password that is held is neither in the row, nor in the audit log, nor in a notification', async () => {
  await using scene = await openScene()
  const id = heldIdOf(await scene.ask.setPassword(scene.asker, 'held-password-7'))
  const all = async () =>
    Buffer.concat([
      Buffer.from(JSON.stringify([await db().auditRow.findMany(), await db().notification.findMany()])),
      ...(await db().heldRequest.findMany()).flatMap((row) => [Buffer.from(JSON.stringify(row)), Buffer.from(row.sealed ?? [])]),
    ]).includes('held-password-7')
  expect(await all()).toBe(false)
  await approve(scene.approver, id)
  expect(await all()).toBe(false)
  expect(JSON.stringify(await db().notification.findMany())).toContain('alpha')
})

test('those who could approve are notified; whoever asked and the others of them read what became of it', async () => {
  await using scene = await openScene()
  const { owner, asker, approver, team } = scene
  await team.join('viewer')
  const id = heldIdOf(await scene.ask.setPassword())
  const told = async (kind: 'approval_wanted' | 'approval_decided') =>
    (await db().notification.findMany({ where: { kind, subjectId: id } })).map(({ userId }) => userId).sort()
  expect(await told('approval_wanted')).toEqual([owner.user.id, approver.user.id].sort())
  await approve(approver, id)
  expect(await told('approval_decided')).toEqual([owner.user.id, asker.user.id].sort())
  const saidTo = async (actor: Person) => (await listNotifications(actor)).items.map(({ text }) => text)[0]
  expect(await saidTo(owner)).toMatch(/^The admin approved what The operator asked for: /)
  expect(await saidTo(asker)).toMatch(/^The admin approved what you asked for: /)
  const refused = heldIdOf(await scene.ask.deleteSite())
  await refuseHeld(inputOf(owner, { heldId: refused, reason: '' }))
  expect(await saidTo(approver)).toMatch(/^The owner refused what The operator asked for: /)
})

test('a process that died while it was sending: the audit log tells whether it was sent, and nothing is sent again', async () => {
  await using scene = await openScene()
  const [before, after] = [heldIdOf(await scene.ask.setPassword()), heldIdOf(await scene.ask.setPassword())]
  await approve(scene.approver, after)
  await db().heldRequest.updateMany({ data: { state: 'sending', decidedAt: new Date(), endedAt: null, sealed: null, kekId: null } })
  await settleSending(new Date())
  expect([(await readHeld(before)).state, (await readHeld(after)).state]).toEqual(['failed', 'sent'])
  expect(scene.sent()).toHaveLength(1)
})

test('a request that only asks, and what the rule does not know, is not held', async () => {
  await using scene = await openScene()
  const asked = await runOperation(
    scene.asker,
    contract.servers.resetKey,
    { serverId: scene.idOf('alpha') },
    { user: 'root', pass: 'x', host_key: 'ask' },
    { confirmName: 'alpha' },
  )
  expect(asked).not.toMatchObject({ problem: { code: 'needs_approval' } })
  expect(await db().heldRequest.count()).toBe(0)
})

test('keys are rotated while a request is held, and it can still be approved', async () => {
  await using scene = await openScene()
  const id = heldIdOf(await scene.ask.setPassword())
  const { portalKekFile } = getSettings()
  const next = createKek(createKeyFile(join(dirname(portalKekFile), 'kek.next.key'))).id
  expect(await rotateTo(next)).toMatchObject({ old: 0, broken: [] })
  expect((await readHeld(id)).kekId).toBe(next)
  expect((await approve(scene.approver, id)).ok).toBe(true)
})
