/** Notifies of scheduled copies, proofs of them and deletions of old ones that failed. */
import 'server-only'
import { createHash } from 'node:crypto'
import { findServerMembers, findSiteMembers } from '@/lib/portal/access/server-members'
import { db } from '@/lib/portal/base/db'
import { notify } from '@/lib/portal/notifications/notify'
import { findPlanOf } from '@/lib/portal/subjects/backup-plans/plans'
import { readersOfCopies, readersOfServerCopies } from '@/lib/portal/subjects/backup-plans/raise-late'
import { subjectOfNight } from '@/lib/portal/subjects/backup-targets/subject'
import type { BackupRepository, CopyPruning, NightCopy } from '@/prisma/generated/portal/client'

const shorten = (cause: string): string => createHash('sha256').update(cause).digest('base64url').slice(0, 16)

/**
 * Once for each cause, until a copy of the server to that target succeeds: if the target is full, the copies of all sites of a server fail every night. The copy of
 * the server itself may fail alone, so it is looked at alone.
 */
export async function notifyFailed(row: NightCopy, problem: string, now: Date): Promise<void> {
  const { serverId } = row
  const subject = subjectOfNight(row)
  const [plan, server] = [await findPlanOf(subject), await db().server.findUnique({ where: { id: serverId } })]
  const target = plan?.targetId ? await db().backupTarget.findUnique({ where: { id: plan.targetId } }) : null
  if (!plan || !target) return
  const good = await db().backupCopy.findFirst({
    where: { state: 'done', repository: { targetId: target.id, serverId }, ...(subject.kind === 'server' && { siteId: serverId }) },
    orderBy: { startedAt: 'desc' },
    select: { id: true },
  })
  await notify({
    teamId: plan.teamId,
    userIds: await findServerMembers(plan.teamId, serverId, subject.kind === 'server' ? readersOfServerCopies : readersOfCopies),
    kind: 'copy_failed',
    onceKey: `copy_failed ${subject.kind === 'server' ? 'itself ' : ''}${serverId} ${target.id} ${good?.id ?? 'never'} ${shorten(problem)}`,
    subject: { kind: 'server', id: serverId },
    detail: { name: server?.name ?? '', label: target.label, why: problem.slice(0, 300) },
    at: now,
  })
}

/**
 * Once for each cause, until a copy is proven there: of a bad copy for its site, whose members are notified; of copies that could not be read for their server, because
 * that concerns all its sites.
 */
export async function notifyUnproven({ siteId, serverId, copyId }: NightCopy, problem: string, now: Date): Promise<void> {
  const site = await db().site.findUnique({ where: { id: siteId }, include: { server: true } })
  const copy = await db().backupCopy.findUnique({ where: { id: copyId }, include: { repository: { include: { target: true } } } })
  if (!site || !copy) return
  const { target } = copy.repository
  const isBad = copy.badAt !== null
  const of = { repository: { targetId: target.id }, ...(isBad ? { siteId } : { repository: { targetId: target.id, serverId } }) }
  const good = await db().backupCopy.findFirst({ where: { ...of, provenAt: { not: null } }, orderBy: { provenAt: 'desc' } })
  const since = good?.provenAt?.toISOString() ?? 'never'
  const cause = copy.proofCause || shorten(problem)
  await notify({
    teamId: site.teamId,
    userIds: isBad
      ? await findSiteMembers(site.teamId, { siteId, serverId }, readersOfCopies)
      : await findServerMembers(site.teamId, serverId, readersOfCopies),
    kind: 'copy_failed',
    onceKey: `copy_failed proof ${isBad ? siteId : serverId} ${target.id} ${since} ${cause}`,
    subject: isBad ? { kind: 'site', id: siteId } : { kind: 'server', id: serverId },
    detail: {
      name: isBad ? site.domain : (site.server?.name ?? ''),
      label: target.label,
      why: problem.slice(0, 300),
      proof: isBad ? 'bad' : 'unchecked',
    },
    at: now,
  })
}

/** label: of the target. */
export type PruningAttempt = {
  row: CopyPruning
  server: Pick<BackupRepository, 'serverId' | 'serverName'>
  label: string
  teamId: string
}

/** Once for each cause, until copies are deleted from that repository again. */
export async function notifyUnpruned({ row, server, label, teamId }: PruningAttempt, problem: string, now: Date): Promise<void> {
  const { repositoryId, lastGood } = row
  await notify({
    teamId,
    userIds: await findServerMembers(teamId, server.serverId, readersOfCopies),
    kind: 'prune_failed',
    onceKey: `prune_failed ${repositoryId} ${lastGood || 'never'} ${shorten(problem)}`,
    subject: { kind: 'server', id: server.serverId },
    detail: { name: server.serverName, label, why: problem.slice(0, 300) },
    at: now,
  })
}
