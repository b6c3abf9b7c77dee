/** Copies the newest backup of a site to a backup target. Its key and the repository's password are decrypted for this one request. */
import 'server-only'
import { copies } from '@/lib/contract/operations/copies'
import { type Outcome, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { forgetCopy, formatLimit, noteCopyBegun } from '@/lib/portal/subjects/backup-targets/copy-job'
import { findUsableTarget, refuseSite } from '@/lib/portal/subjects/backup-targets/find'
import { ensureRepository, openCopyFields } from '@/lib/portal/subjects/backup-targets/repository'
import { startJob } from './start'

const noServer = problem('unsuitable', { sentence: 'Gatehouse doesn’t know the server of this site, so it can’t copy its backups.' })

/** limitKb: in KB/s; null for none. A user who may copy backups of the site can use the team's targets, and their own, unless refuseSite finds a reason. */
export async function startCopy(
  actor: Person,
  { siteId, targetId, limitKb = null }: { siteId: string; targetId: string; limitKb?: number | null },
  options: RunOptions & { requestId: string },
): Promise<Outcome<{ jobId: string }>> {
  const may = await decide(actor, copies.make, { siteId })
  if (!may.ok) return may
  const { site, server, connection } = may.data
  if (!connection.extensions) return { ok: false, problem: problem('not_built') }
  const target = isOpaqueId(targetId) ? await findUsableTarget(actor, targetId) : null
  if (!target) {
    await recordDenied(actor, copies.make.id, { kind: 'site', id: siteId }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const refused = await refuseSite(actor, target, siteId)
  if (refused !== null) {
    await recordDenied(actor, copies.make.id, { kind: 'site', id: siteId }, 'forbidden')
    return { ok: false, problem: problem('forbidden', { sentence: refused }) }
  }
  const owner = site?.serverId ?? null
  if (!site || owner === null) return { ok: false, problem: noServer }
  const repository = await ensureRepository(target, { id: owner, name: server?.name ?? site.upstreamServerId })
  const fields = await openCopyFields(target, repository)
  if (!fields) return { ok: false, problem: problem('key_locked') }
  const jobId = options.requestId
  await noteCopyBegun({ jobId, repository, site })
  const started = await startJob(
    actor,
    copies.make,
    { siteId },
    { ...fields, limit: formatLimit(limitKb) },
    { ...options, about: target.label },
  )
  if (!started.ok || started.data.jobId !== jobId) await forgetCopy(jobId)
  return started
}
