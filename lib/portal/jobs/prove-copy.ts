/** Proves on the server of a site that it could be restored from a copy. The key of the target and the repository's password are decrypted for this one request. */
import 'server-only'
import { copies } from '@/lib/contract/operations/copies'
import { type Outcome, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { noteProofJob, openProofFields } from '@/lib/portal/subjects/backup-targets/proof-job'
import { findCopy } from './find-copy'
import { startJob } from './start'

const frozen = problem('unsuitable', { sentence: 'This target is frozen.' })
const running = problem('busy', { sentence: 'This copy is being proven already.' })

/** copyId: null for the newest that the member may use. */
export async function startProof(
  actor: Person,
  { siteId, copyId }: { siteId: string; copyId: string | null },
  options: RunOptions,
): Promise<Outcome<{ jobId: string }>> {
  const may = await decide(actor, copies.prove, { siteId })
  if (!may.ok) return may
  const { site, connection } = may.data
  if (!connection.extensions) return { ok: false, problem: problem('not_built') }
  const found = await findCopy(actor, copies.prove, site, ({ id }) => copyId === null || id === copyId)
  if (!found.ok) return found
  const copy = found.data
  if (copy.repository.target.frozenAt !== null) return { ok: false, problem: frozen }
  if (await isBeingProven(copy.proofJobId)) return { ok: false, problem: running }
  const fields = await openProofFields(copy)
  if (!fields) return { ok: false, problem: problem('key_locked') }
  const jobId = options.requestId ?? createOpaqueId()
  if (!(await noteProofJob(copy.id, copy.proofJobId, jobId))) return { ok: false, problem: running }
  const started = await startJob(actor, copies.prove, { siteId }, fields, {
    ...options,
    requestId: jobId,
    about: copy.repository.target.label,
  })
  if (!started.ok || started.data.jobId !== jobId) await noteProofJob(copy.id, jobId, copy.proofJobId)
  return started
}

const isBeingProven = async (jobId: string): Promise<boolean> =>
  jobId !== '' && (await db().job.count({ where: { id: jobId, endedAt: null } })) > 0
