/** Orders a certificate for names that were added to a site in several steps, if the last of them did not do that. */
import 'server-only'
import { contract } from '@/lib/contract'
import { type Problem, problem } from '@/lib/contract/problem'
import { decide, type Target } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { coverFields, coverJobIdOf } from '@/lib/portal/jobs/cover-job'
import { startJob } from '@/lib/portal/jobs/start'
import { waitForJob } from '@/lib/portal/jobs/wait'
import { runOperation } from '@/lib/portal/subjects/spine'

const warning = (why: Problem): Problem =>
  problem(why.code, { sentence: `The certificate does not cover all of the new names: ${why.sentence}` })

/**
 * Null if it covers them, or the service does not say. While SSL is on, turning it on orders a new certificate. Waits for an order that a
 * process before began, and makes no second one.
 */
export async function coverNames(actor: Actor, target: Target, options: { batchId: string }): Promise<Problem | null> {
  const may = await decide(actor, contract.sites.settings, target)
  if (!may.ok || !may.data.connection.extensions) return null
  const jobId = coverJobIdOf(options.batchId)
  const known = await db().job.findUnique({ where: { id: jobId, batchId: options.batchId }, select: { id: true } })
  const end = known && (await waitForJob(jobId))
  const read = await runOperation(actor, contract.sites.settings, target, {}, options)
  if (!read.ok) return problem(read.problem.code, { sentence: 'Gatehouse could not check whether the certificate covers the new names.' })
  const { ssl, names, covered } = read.data.item[0]
  if (!ssl || !names?.some((name) => !covered?.includes(name))) return null
  if (end) return warning(end.problem ?? problem('outcome_unknown'))
  const started = await startJob(actor, contract.ssl.set, target, coverFields, { ...options, requestId: jobId })
  if (!started.ok) return warning(started.problem)
  const { state, problem: why } = await waitForJob(jobId)
  return state === 'done' ? null : warning(why ?? problem('outcome_unknown'))
}
