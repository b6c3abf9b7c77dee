/** Copies of backups for pages: of a site by target, and what each target holds. Never a password. */
import 'server-only'
import { backups } from '@/lib/contract/operations/backups'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { findGranted } from '@/lib/portal/access/decide'
import { may } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import type { BackupCopy, Site } from '@/prisma/generated/portal/client'
import { formatAddress, readAddress } from './address'
import { isBadSince } from './bad-copies'
import { describeProblem } from './check-words'
import { refuseSubject, visibleTo } from './find'
import { listRestorable, type RestorableCopy } from './restorable'
import type { CopySubject } from './subject'

/**
 * Of proofs of a copy. provenAt: when the newest good one ended, ISO; empty if none did. isBad: a newer one found that the site cannot be restored from it. problem: what
 * the bad one found, or why the newest could not be made; empty if that was good.
 */
export type ProofView = { provenAt: string; isBad: boolean; problem: string }

/** at: when it began, ISO. problem: a sentence, empty for one that is complete or runs. */
export type CopyView = Pick<BackupCopy, 'id' | 'state' | 'problem' | 'backup' | 'snapshot' | 'bytes'> & { at: string; proof: ProofView }

/**
 * newest: the newest attempt, whatever its outcome. lastGood: the newest complete copy. restorable: those that can be restored into the site, the newest first; also
 * of a site that is gone and had the same domain. isSafe: whether somebody confirmed that they have the recovery kit with its
 * password. isBad: a proof found a bad copy, and none was proven since. refusal: why no copy can be made there now, as a sentence; null if one can.
 */
export type SubjectCopies = {
  targetId: string
  label: string
  address: string
  newest: CopyView | null
  lastGood: CopyView | null
  restorable: readonly CopyView[]
  isSafe: boolean
  isBad: boolean
  refusal: string | null
}

/** None for whoever may not list the backups of the site. Targets that the actor may use, and others that they see where a copy is. */
export const listCopiesOfSite = (actor: Actor, site: Pick<Site, 'id' | 'domain' | 'serverId'>): Promise<SubjectCopies[]> =>
  listCopies(actor, { kind: 'site', id: site.id }, (reader) => listRestorable(reader, site))

/** The same of the backups of a server itself, which no copy restores. */
export const listCopiesOfServer = (actor: Actor, serverId: string): Promise<SubjectCopies[]> =>
  listCopies(actor, { kind: 'server', id: serverId }, async () => [])

type FindRestorable = (reader: Person) => Promise<RestorableCopy[]>

async function listCopies(actor: Actor, subject: CopySubject, findRestorable: FindRestorable): Promise<SubjectCopies[]> {
  if (actor.kind !== 'user' || !may(actor.role, 'teamConnections', 'read')) return []
  const granted = await findGranted(actor, subject.kind === 'site' ? backups.list : serverBackups.list, subject.kind, [subject.id])
  if (!granted.has(subject.id)) return []
  const ofSubject = { siteId: subject.id, repository: { target: visibleTo(actor) } }
  const [targets, copies, restorable] = await Promise.all([
    db().backupTarget.findMany({ where: visibleTo(actor), orderBy: [{ label: 'asc' }, { id: 'asc' }] }),
    db().backupCopy.findMany({
      where: ofSubject,
      include: { repository: true },
      orderBy: [{ startedAt: 'desc' }, { id: 'asc' }],
      take: 500,
    }),
    findRestorable(actor),
  ])
  const [ofTeam, own] = await Promise.all([null, actor.user.id].map((ownerId) => refuseSubject(actor, { ownerId }, subject)))
  return targets.flatMap((target): SubjectCopies[] => {
    const there = copies.filter(({ repository }) => repository.targetId === target.id)
    const foreign = target.ownerId !== null && target.ownerId !== actor.user.id
    if (foreign && there.length === 0) return []
    const [newest = null, lastGood = null] = [there[0], there.find(({ state }) => state === 'done')]
    const refusal = foreign
      ? 'Only its owner can use this target.'
      : target.frozenAt !== null
        ? 'This target is frozen.'
        : target.problem === ''
          ? ((target.ownerId === null ? ofTeam : own) ?? null)
          : describeProblem(target.problem)
    return [
      {
        targetId: target.id,
        label: target.label,
        address: formatAddress(readAddress(target)),
        newest: newest && toView(newest),
        lastGood: lastGood && toView(lastGood),
        restorable: restorable.filter(({ repository }) => repository.targetId === target.id).map(toView),
        isSafe: lastGood !== null && lastGood.repository.kitConfirmedAt !== null,
        isBad: isBadSince(newestOf(there.map(({ provenAt }) => provenAt)), newestOf(there.map(({ badAt }) => badAt))),
        refusal,
      },
    ]
  })
}

const newestOf = (times: readonly (Date | null)[]): Date | null =>
  times.reduce<Date | null>((newest, at) => (newest === null || (at !== null && at > newest) ? at : newest), null)

const toView = ({ id, state, problem, backup, snapshot, bytes, startedAt, provenAt, badAt, proofProblem }: BackupCopy): CopyView => ({
  id,
  state,
  problem,
  backup,
  snapshot,
  bytes,
  at: startedAt.toISOString(),
  proof: { provenAt: provenAt?.toISOString() ?? '', isBad: badAt !== null, problem: proofProblem },
})

/** servers: those that sent copies. ownServers: those whose own backups were copied. newestAt: ISO. unconfirmed: servers whose copies are not safe yet, because nobody has confirmed having the newest recovery kit. */
export type Holding = {
  copies: number
  sites: number
  servers: number
  ownServers: number
  newestAt: string | null
  unconfirmed: number
}

/** By the id of the target; no entry for one that never got a copy. */
export async function readHoldings(targetIds: readonly string[]): Promise<ReadonlyMap<string, Holding>> {
  const repositories = await db().backupRepository.findMany({ where: { targetId: { in: [...targetIds] } } })
  const of = { repositoryId: { in: repositories.map(({ id }) => id) }, state: 'done' as const }
  const groups = await db().backupCopy.groupBy({ by: ['repositoryId', 'domain'], where: of, _count: true, _max: { startedAt: true } })
  const holdings = new Map<string, Holding>()
  for (const { id, targetId, kitConfirmedAt } of repositories) {
    const before = holdings.get(targetId) ?? { copies: 0, sites: 0, servers: 0, ownServers: 0, newestAt: null, unconfirmed: 0 }
    const own = groups.filter(({ repositoryId }) => repositoryId === id)
    const ofSites = own.filter(({ domain }) => domain !== '')
    if (own.length === 0) continue
    const times = [before.newestAt, ...own.map(({ _max }) => _max.startedAt?.toISOString() ?? null)].flatMap((each) => each ?? [])
    holdings.set(targetId, {
      copies: before.copies + own.reduce((sum, { _count }) => sum + _count, 0),
      sites: before.sites + ofSites.length,
      servers: before.servers + 1,
      ownServers: before.ownServers + (own.length - ofSites.length),
      newestAt: times.sort().at(-1) ?? null,
      unconfirmed: before.unconfirmed + (kitConfirmedAt === null ? 1 : 0),
    })
  }
  return holdings
}
