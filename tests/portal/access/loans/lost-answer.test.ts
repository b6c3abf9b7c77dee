/** What became of a change whose answer was lost is not read through a connection that may no longer be used for it. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { readBack } from '@/lib/portal/jobs/relay/read-back'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { freezeConnection } from '@/lib/portal/subjects/connections/freeze'
import { endLoan } from '@/lib/portal/subjects/lending/change'
import { shownChanges } from '@/lib/portal/subjects/sites/shown-changes'
import { inputOf } from '@/tests/support/own-input'
import { lend, openLending } from './scene'

const unknown = { state: 'unknown', problem: problem('outcome_unknown') } as const

/** A backup that a borrower made through a lent connection, as it would be read back. */
async function openBackup() {
  const scene = await openLending()
  const [operator, siteId] = [await scene.team.join('operator'), scene.idOf('shop.heron.example')]
  const loanId = await lend(scene, { to: { userId: operator.user.id }, scope: { kind: 'site', id: siteId }, effects: ['read', 'change'] })
  const started = await startJob(operator, contract.backups.create, { siteId })
  if (!started.ok) throw new Error(started.problem.sentence)
  const { jobId } = started.data
  await expect.poll(async () => (await findJob(operator, jobId))?.endedAt ?? null, { timeout: 20_000 }).not.toBeNull()
  const reads = () => scene.upstream.calls.filter(({ method, path }) => method === 'GET' && path.includes('backup')).length
  const read = async () => {
    const [row, connection] = [await db().job.findUniqueOrThrow({ where: { id: jobId } }), await db().connection.findFirst()]
    const before = reads()
    const { state } = await readBack({ row, connection }, shownChanges.backedUp, unknown, 0)
    return [state, reads() - before]
  }
  return { scene, loanId, read }
}

test('security 16: a lost answer is not read back once the loan has ended', async () => {
  const { scene, loanId, read } = await openBackup()
  await using _ = scene
  expect(await read()).toEqual(['done', 1])
  expect(await endLoan(inputOf(scene.lender, { loanId }))).toMatchObject({ ok: true })
  expect(await read()).toEqual(['unknown', 0])
})

test('security 16: a lost answer is not read back while the connection is frozen', async () => {
  const { scene, read } = await openBackup()
  await using _ = scene
  expect(await freezeConnection(inputOf(scene.lender, { connectionId: scene.connectionId }))).toMatchObject({ ok: true })
  expect(await read()).toEqual(['unknown', 0])
})
