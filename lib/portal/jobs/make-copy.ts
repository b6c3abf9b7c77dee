/** Copies the newest backup of a site, or of a server itself, to a backup target. Its key and the repository's password are decrypted for this one request. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { type Decision, decide } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { forgetCopy, formatLimit, noteCopyBegun } from '@/lib/portal/subjects/backup-targets/copy-job'
import { findUsableTarget, refuseSubject } from '@/lib/portal/subjects/backup-targets/find'
import { ensureRepository, openCopyFields } from '@/lib/portal/subjects/backup-targets/repository'
import { type CopySubject, copyingOf, targetOfSubject } from '@/lib/portal/subjects/backup-targets/subject'
import { startJob } from './start'

const noServer = problem('unsuitable', { sentence: 'Gatehouse doesn’t know the server of this site, so it can’t copy its backups.' })

type WantedCopy = { subject: CopySubject; targetId: string; limitKb?: number | null }

/** limitKb: in KB/s; null for none. A user who may copy its backups can use the team's targets, and their own, unless refuseSubject finds a reason. */
export async function startCopy(
  actor: Person,
  { subject, targetId, limitKb = null }: WantedCopy,
  options: RunOptions & { requestId: string },
): Promise<Outcome<{ jobId: string }>> {
  const [operation, about] = [copyingOf(subject), targetOfSubject(subject)]
  const may = await decide(actor, operation, about)
  if (!may.ok) return may
  if (!may.data.connection.extensions) return { ok: false, problem: problem('not_built') }
  const target = isOpaqueId(targetId) ? await findUsableTarget(actor, targetId) : null
  if (!target) {
    await recordDenied(actor, operation.id, subject, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const refused = await refuseSubject(actor, target, subject)
  if (refused !== null) {
    await recordDenied(actor, operation.id, subject, 'forbidden')
    return { ok: false, problem: problem('forbidden', { sentence: refused }) }
  }
  const copied = copiedOf(may.data)
  if (!copied) return { ok: false, problem: noServer }
  const repository = await ensureRepository(target, copied.server)
  const fields = await openCopyFields(target, repository)
  if (!fields) return { ok: false, problem: problem('key_locked') }
  const jobId = options.requestId
  await noteCopyBegun({ jobId, repository, subject: copied.subject })
  const started = await startJob(actor, operation, about, { ...fields, limit: formatLimit(limitKb) }, { ...options, about: target.label })
  if (!started.ok || started.data.jobId !== jobId) await forgetCopy(jobId)
  return started
}

type Copied = { subject: { id: string; domain: string }; server: { id: string; name: string } }

/** Null for a site whose server is not known. */
function copiedOf({ site, server }: Decision): Copied | null {
  if (!site) return server && { subject: { id: server.id, domain: '' }, server }
  if (site.serverId === null) return null
  return { subject: site, server: { id: site.serverId, name: server?.name ?? site.upstreamServerId } }
}
