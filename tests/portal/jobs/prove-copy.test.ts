/** Proofs of copies: what the service gets, what is stored and reported of each verdict, who may, and how each week's proof is made. */
import { afterEach, expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { writeDigest } from '@/lib/portal/delivery/digest'
import type { Person } from '@/lib/portal/identity/actor'
import { startCopy } from '@/lib/portal/jobs/make-copy'
import { planNights } from '@/lib/portal/jobs/night-copies/plan-nights'
import { planProofs } from '@/lib/portal/jobs/night-copies/plan-proofs'
import { startDueCopies } from '@/lib/portal/jobs/night-copies/start-due'
import { startProof } from '@/lib/portal/jobs/prove-copy'
import { relayOf } from '@/lib/portal/jobs/relay/relay'
import { setBackupPlan } from '@/lib/portal/subjects/backup-plans/change'
import { addBackupTarget } from '@/lib/portal/subjects/backup-targets/change'
import { listCopiesOfSite } from '@/lib/portal/subjects/backup-targets/copies'
import { readProofFields } from '@/lib/portal/subjects/backup-targets/proof-job'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { describeAction } from '@/lib/portal/views/activity/sentences'
import { describeNotification } from '@/lib/portal/views/notifications/sentences'
import { startBucketServer } from '@/tests/support/bucket-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const [minuteMs, hourMs] = [60_000, 3_600_000]
const dayMs = 24 * hourMs
const never = new AbortController().signal
const name = 'first.example-20261128-021400-nightly.tar.zst'
const bad = { verdict: 'bad', cause: 'damaged', reason: 'Parts of the copy were changed or damaged at the target.' }
const away = { verdict: 'unchecked', cause: 'unreachable', reason: 'The server can’t reach the target.' }
const busy = { verdict: 'postponed', cause: 'load', reason: 'The server is busy. The proof was postponed.' }

afterEach(() => vi.useRealTimers())

/** A site with one copy in a target of the team. */
async function openScene() {
  const database = await openPortalDatabase()
  const [upstream, bucket] = [await startUpstream({ extensions: true }), await startBucketServer()]
  upstream.addServer({ name: 'web-01' })
  const upstreamId = upstream.addSite({ domain: 'first.example', backups: [{ name, size: '4096', date: 'Nov 28 02:14' }] })
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  await team.connect(upstream)
  const serverId = (await listServers(admin)).servers[0]?.id ?? ''
  const siteId = (await listSites(admin)).sites[0]?.id ?? ''
  expect(await addBackupTarget(inputOf(admin, { ...bucket.fields, keeper: 'team' }))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  const copy = async () => {
    const started = await startCopy(admin, { subject: { kind: 'site', id: siteId }, targetId: target.id }, { requestId: createOpaqueId() })
    if (!started.ok) throw new Error(started.problem.sentence)
    await relayOf(started.data.jobId)
    return started.data.jobId
  }
  const prove = async (who: Person = admin, copyId: string | null = null) => {
    const started = await startProof(who, { siteId, copyId }, { requestId: createOpaqueId() })
    if (started.ok) await relayOf(started.data.jobId)
    return started
  }
  /** As the leading portal does every few seconds, until nothing is left to do. */
  const round = async (at: Date) => {
    await planNights(at)
    await planProofs(at)
    for (let each = 0; each < 3; each += 1) {
      await startDueCopies(at, never)
      const running = await db().nightCopy.findMany({ where: { state: 'running' } })
      if (running.length === 0) return
      for (const { jobId } of running) await relayOf(jobId)
    }
  }
  return {
    team,
    owner,
    admin,
    target,
    siteId,
    ofSite: { id: siteId, domain: 'first.example', serverId },
    model: upstream.model.sites.get(upstreamId),
    copy,
    prove,
    round,
    answer: (proof: typeof bad) => Object.assign(upstream.model.sites.get(upstreamId) ?? {}, { proof }),
    sent: () => upstream.callsTo('POST', `/sites/${upstreamId}/copies/prove`).map(({ fields }) => fields),
    schedule: () =>
      setBackupPlan(inputOf(admin, { place: 'site', placeId: siteId, targetId: target.id, hour: '2', timeZone: 'UTC', limitKb: '' })),
    told: async () =>
      (await db().notification.findMany({ where: { userId: admin.user.id }, orderBy: { createdAt: 'asc' } })).map((each) =>
        describeNotification(each.kind, JSON.parse(each.detail)),
      ),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await bucket[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('the service gets what a restore gets, nothing of it is stored, and a good copy is proven from then on', async () => {
  await using scene = await openScene()
  const copyId = await scene.copy()
  expect(await scene.prove()).toMatchObject({ ok: true })
  const [fields] = scene.sent()
  expect(fields).toMatchObject({ key_id: 'SERVERKEY', snapshot: 'a'.repeat(64), backup: name, sha256: 'c'.repeat(64) })
  expect(JSON.stringify(fields)).not.toMatch(/MAINTENANCE|maintenance/)
  const stored = await db().backupCopy.findUniqueOrThrow({ where: { id: copyId } })
  expect(stored).toMatchObject({ proof: 'good', proofProblem: '', badAt: null, provenAt: expect.any(Date) })
  expect(await readProofFields(stored.proofJobId)).toEqual(
    Object.fromEntries(Object.entries(fields ?? {}).map(([key, value]) => [key, String(value)])),
  )
  const written = JSON.stringify([await db().auditRow.findMany(), await db().job.findMany(), stored], (_, value) =>
    typeof value === 'bigint' ? 0 : value,
  )
  for (const secret of ['canary-of-the-server-key', 'SERVERKEY']) expect(written).not.toContain(secret)
  const row = await db().auditRow.findFirstOrThrow({ where: { action: 'copies.prove', stage: 'outcome' } })
  expect(row).toMatchObject({ outcome: 'done' })
  const intent = await db().auditRow.findFirstOrThrow({ where: { action: 'copies.prove', stage: 'intent' } })
  expect(describeAction(intent.action, JSON.parse(intent.detail), 'done')).toBe('Proved the copy of the site in Copies')
  expect(await listCopiesOfSite(scene.admin, scene.ofSite)).toMatchObject([
    { isBad: false, restorable: [{ id: copyId, proof: { provenAt: stored.provenAt?.toISOString(), isBad: false, problem: '' } }] },
  ])
})

test('a bad copy stays bad until it is proven, whatever could not be checked meanwhile; a postponed proof is no failure', async () => {
  await using scene = await openScene()
  await scene.copy()
  const stored = () => db().backupCopy.findFirstOrThrow()
  const job = () => db().job.findFirstOrThrow({ where: { operation: 'copies.prove' }, orderBy: { startedAt: 'desc' } })
  scene.answer(busy)
  await scene.prove()
  expect(await job()).toMatchObject({ state: 'cancelled', problemSentence: busy.reason })
  expect(await stored()).toMatchObject({ proof: 'postponed', badAt: null, proofProblem: busy.reason })
  scene.answer(bad)
  await scene.prove()
  expect(await job()).toMatchObject({ state: 'failed', problemSentence: bad.reason })
  expect(await listCopiesOfSite(scene.admin, scene.ofSite)).toMatchObject([{ isBad: true }])
  for (const later of [away, busy]) {
    scene.answer(later)
    await scene.prove()
    expect(await stored()).toMatchObject({ proof: later.verdict, badAt: expect.any(Date), proofProblem: bad.reason, proofCause: 'damaged' })
  }
  scene.answer({ verdict: 'good', cause: '', reason: '' })
  await scene.prove()
  expect(await stored()).toMatchObject({ proof: 'good', badAt: null, proofProblem: '', proofCause: '' })
  // A service that says nothing has proven nothing.
  scene.answer({ verdict: '', cause: '', reason: '' })
  await scene.prove()
  expect(await stored()).toMatchObject({ proof: 'unchecked', provenAt: expect.any(Date) })
})

test('of two proofs of a copy that are started at once one runs, and what it finds is stored', async () => {
  await using scene = await openScene()
  await scene.copy()
  const started = await Promise.all([scene.prove(), scene.prove()])
  expect(started.map(({ ok }) => ok).sort()).toEqual([false, true])
  expect(await db().backupCopy.findFirstOrThrow()).toMatchObject({ proof: 'good' })
})

test('viewers may not, and copies of others, unknown ones and those of a frozen target are refused', async () => {
  await using scene = await openScene()
  const copyId = await scene.copy()
  expect(await scene.prove(await scene.team.join('viewer'), copyId)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await scene.prove(scene.admin, createOpaqueId())).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  await db().backupTarget.updateMany({ data: { ownerId: scene.admin.user.id } })
  expect(await scene.prove(scene.owner, copyId)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  await db().backupTarget.updateMany({ data: { frozenAt: new Date() } })
  expect(await scene.prove(scene.admin, copyId)).toMatchObject({ ok: false, problem: { sentence: 'This target is frozen.' } })
  expect(scene.sent()).toEqual([])
})

/** From a Monday on. */
function setClock(): (ms: number) => Date {
  const start = Date.parse('2027-03-01T03:00:00Z')
  return (ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start + ms })
    return new Date(start + ms)
  }
}

test('each week the newest copy is proven; what is postponed is tried again, and a bad one is reported once for each cause', async () => {
  await using scene = await openScene()
  const at = setClock()
  await scene.copy()
  await scene.schedule()
  await db().backupPlan.updateMany({ data: { setAt: new Date(Date.now() - 30 * dayMs) } })
  at(0)
  await db().backupCopy.updateMany({ data: { startedAt: new Date(), endedAt: new Date() } })
  scene.answer(busy)
  await scene.round(at(0))
  expect(scene.sent()).toHaveLength(1)
  await scene.round(at(10 * minuteMs))
  expect(scene.sent()).toHaveLength(1)
  scene.answer(bad)
  await scene.round(at(61 * minuteMs))
  expect(scene.sent()).toHaveLength(2)
  const told = 'A copy of first.example in Copies can’t be restored: Parts of the copy were changed or damaged at the target.'
  expect(await scene.told()).toEqual([told])
  expect(await writeDigest(scene.admin, at(62 * minuteMs))).toEqual(
    expect.arrayContaining([expect.stringContaining('1 bad copy: first.example.')]),
  )
  for (let day = 1; day <= 15; day += 1) await scene.round(at(day * dayMs + 2 * hourMs))
  expect(scene.sent()).toHaveLength(4)
  expect(await scene.told()).toEqual([told])
  scene.answer({ ...bad, cause: 'missing', reason: 'Parts of the copy are gone.' })
  for (let day = 22; day <= 24; day += 1) await scene.round(at(day * dayMs))
  expect((await scene.told()).slice(1)).toEqual(['A copy of first.example in Copies can’t be restored: Parts of the copy are gone.'])
})

test('a good proof is no failure because another one of the same copy begins before its outcome is noted', async () => {
  await using scene = await openScene()
  await scene.copy()
  await scene.schedule()
  const now = new Date()
  await planProofs(now)
  await startDueCopies(now, never)
  const { jobId } = await db().nightCopy.findFirstOrThrow()
  await relayOf(jobId)
  await db().backupCopy.updateMany({ data: { proofJobId: createOpaqueId(), proof: '' } })
  await startDueCopies(now, never)
  expect(await db().nightCopy.findMany()).toMatchObject([{ state: 'done' }])
  expect(await scene.told()).toEqual([])
})

test('neither a copy of the future nor one in the repository of a former server is proven by schedule', async () => {
  await using scene = await openScene()
  const now = new Date()
  const ids = [await scene.copy(), await scene.copy()]
  const begun = [new Date(now.getTime() - dayMs), new Date(now.getTime() + 900 * dayMs)]
  for (const [index, id] of ids.entries()) await db().backupCopy.update({ where: { id }, data: { startedAt: begun[index] ?? now } })
  await scene.schedule()
  await planProofs(now)
  expect(await db().nightCopy.findMany()).toMatchObject([{ copyId: ids[0] }])
  await db().nightCopy.deleteMany()
  await db().backupRepository.updateMany({ data: { serverId: 'another' } })
  await planProofs(now)
  expect(await db().nightCopy.findMany()).toEqual([])
})

test('a target that cannot be reached is tried four times before it is reported, and not as damage', async () => {
  await using scene = await openScene()
  const at = setClock()
  await scene.copy()
  await scene.schedule()
  await db().backupPlan.updateMany({ data: { setAt: new Date(Date.now() - 30 * dayMs) } })
  scene.answer(away)
  for (const minutes of [0, 14, 16, 77, 250]) {
    await scene.round(at(minutes * minuteMs))
    expect(await scene.told()).toEqual([])
  }
  await scene.round(at(280 * minuteMs))
  expect(scene.sent()).toHaveLength(4)
  expect(await scene.told()).toEqual(['Copies of web-01 in Copies could not be proven: The server can’t reach the target.'])
  expect((await writeDigest(scene.admin, at(281 * minuteMs))).join(' ')).not.toContain('bad')
})

test('in a thousand good nights there is no alarm', { timeout: 300_000 }, async () => {
  await using scene = await openScene()
  const at = setClock()
  await scene.schedule()
  for (let night = 1; night <= 1000; night += 1) {
    if (scene.model) scene.model.backups = [{ name, size: '4096', date: 'Nov 28 02:14' }]
    await scene.round(at(night * dayMs))
  }
  expect(await db().backupCopy.count({ where: { state: 'done' } })).toBe(1000)
  expect(scene.sent().length).toBeGreaterThanOrEqual(142)
  expect(await db().backupCopy.count({ where: { proof: { notIn: ['', 'good'] } } })).toBe(0)
  expect(await db().notification.findMany()).toEqual([])
})
