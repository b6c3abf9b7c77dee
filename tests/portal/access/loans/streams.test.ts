/** What follows work through a lent connection ends with the loan, while the work continues. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { stopRelay } from '@/lib/portal/jobs/relay/relay'
import { watchJob } from '@/lib/portal/jobs/relay/watch-job'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { freezeConnection } from '@/lib/portal/subjects/connections/freeze'
import { endLoan } from '@/lib/portal/subjects/lending/change'
import { inputOf } from '@/tests/support/own-input'
import { storedLines } from '@/tests/support/portal-install'
import { readSse } from '@/tests/support/sse-reader'
import { lend, openLending } from './scene'

const soon = { timeout: 5_000 }
const patience = { timeout: 20_000 }
const quick = { heartbeatMs: 50, recheckMs: 50, patienceMs: 200 }

/** An installation that an operator started with the lent connection and follows. */
async function openRunning() {
  const scene = await openLending({ installLines: 3_000, msPerLine: 20 })
  const [borrower, serverId] = [await scene.team.join('operator'), scene.idOf('heron-1')]
  const loanId = await lend(scene, { scope: { kind: 'server', id: serverId }, effects: ['read', 'change'], root: true })
  const started = await startJob(borrower, contract.servers.install, { serverId })
  if (!started.ok) throw new Error(started.problem.sentence)
  const { jobId } = started.data
  await expect.poll(async () => (await storedLines(jobId)).length, patience).toBeGreaterThan(2)
  const url = `http://localhost/api/jobs/${jobId}/events`
  const watch = (actor: typeof borrower) => watchJob(actor, jobId, new Request(url), quick)
  return { scene, borrower, loanId, jobId, watch, connection: { connectionId: scene.connectionId } }
}

const held = (code: string) => ({
  state: 'interrupted',
  endedAt: null,
  problem: { code, sentence: expect.stringContaining('still running on the server') },
})

test('security 16: once a loan ends, no stream of it is open within 5 s, and the job continues', { timeout: 60_000 }, async () => {
  const { scene, borrower, loanId, jobId, watch } = await openRunning()
  await using _ = scene
  const theirs = readSse(await watch(borrower))
  await expect.poll(() => theirs.seqs().length, patience).toBeGreaterThan(2)
  expect(await endLoan(inputOf(scene.lender, { loanId }))).toMatchObject({ ok: true })
  await expect.poll(() => [scene.upstream.openStreams, theirs.closed], soon).toEqual([0, true])
  expect((await watch(borrower)).status).toBe(404)
  await expect.poll(() => findJob(scene.lender, jobId), soon).toMatchObject(held('no_connection'))
  const calls = scene.upstream.calls.filter(({ path }) => path.endsWith('/install')).length
  expect(calls).toBe(1)
  // Lent again, it is followed on, and nothing is started a second time.
  await db().loan.update({ where: { id: loanId }, data: { until: null } })
  await expect.poll(() => scene.upstream.openStreams, soon).toBe(1)
  await stopRelay(jobId)
})

test('security 16: once the lender freezes the connection, no stream through it is open within 5 s, and the job continues', {
  timeout: 60_000,
}, async () => {
  const { scene, borrower, jobId, connection } = await openRunning()
  await using _ = scene
  expect(await freezeConnection(inputOf(scene.lender, connection))).toMatchObject({ ok: true })
  await expect.poll(() => scene.upstream.openStreams, soon).toBe(0)
  await expect.poll(() => findJob(borrower, jobId), soon).toMatchObject(held('key_frozen'))
  await stopRelay(jobId)
})
