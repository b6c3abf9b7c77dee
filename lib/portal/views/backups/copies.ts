/** Which copies of sites there are outside of their servers, by site. Never a password. */
import 'server-only'
import { backups } from '@/lib/contract/operations/backups'
import { findGranted } from '@/lib/portal/access/decide'
import { isAllowed } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { rightOf } from '@/lib/portal/access/grants/read'
import { lendingOf } from '@/lib/portal/access/loans/read'
import { may } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { readCopyRows } from '@/lib/portal/base/sql/copies'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import { isBadSince } from '@/lib/portal/subjects/backup-targets/bad-copies'
import { visibleTo } from '@/lib/portal/subjects/backup-targets/find'
import type { CopyLine } from './line'

/**
 * copies: by label of the target. failedAt: when the newest attempt that failed began, newestAt: when the newest complete copy did, both in ms since 1970 or 0. isOwn: whether a target of
 * the team or of the reader has one.
 */
export type CopiesOfSite = { copies: CopyLine[]; newestAt: number; failedAt: number; isOwn: boolean }

/** Whether the actor may know of copies elsewhere at all. */
export const seesTargets = (actor: Actor): actor is Person => actor.kind === 'user' && may(actor.role, 'teamConnections', 'read')

/** Of which of these sites the actor may list the backups. */
export async function findListable(actor: Actor, siteIds: () => readonly string[]): Promise<(siteId: string) => boolean> {
  if (!seesTargets(actor)) return () => false
  const [right, { rights }] = await Promise.all([rightOf(actor), lendingOf(actor)])
  if (rights.size === 0 && isAllowed(right, needOf(backups.list), { kind: 'everywhere' })) return () => true
  const granted = await findGranted(actor, backups.list, 'site', siteIds())
  return (siteId) => granted.has(siteId)
}

type Repository = { targetId: string; label: string; ownerId: string | null; isSafe: boolean }

/** Of all sites, also deleted ones, in targets that the reader sees. The caller checks which sites the reader may know of. */
export async function readCopies(actor: Actor): Promise<ReadonlyMap<string, CopiesOfSite>> {
  const repositories = seesTargets(actor) ? await readRepositories(actor) : new Map<string, Repository>()
  if (repositories.size === 0) return new Map()
  const ids = [...repositories.keys()]
  const bySite = new Map<string, Attempt[]>()
  for (const [siteId, repositoryId, state, startedAt, provenAt, badAt, bytes] of await readCopyRows(ids)) {
    const repository = repositories.get(repositoryId)
    if (!repository) continue
    const proven = isBadSince(provenAt, badAt) ? 'bad' : (provenAt ?? '')
    const attempt = { repository, isDone: state === 'done', at: startedAt, bytes, proven }
    bySite.get(siteId)?.push(attempt) ?? bySite.set(siteId, [attempt])
  }
  return new Map([...bySite].map(([siteId, attempts]) => [siteId, toCopies(attempts, actor)]))
}

async function readRepositories(actor: Person): Promise<Map<string, Repository>> {
  const rows = await db().backupRepository.findMany({
    where: { target: visibleTo(actor) },
    select: { id: true, targetId: true, kitConfirmedAt: true, target: { select: { label: true, ownerId: true } } },
  })
  return new Map(rows.map(({ id, targetId, kitConfirmedAt, target }) => [id, { targetId, ...target, isSafe: kitConfirmedAt !== null }]))
}

/** at, proven: as in CopyLine. */
type Attempt = { repository: Repository; isDone: boolean; at: string; bytes: number; proven: string }

function toCopies(attempts: readonly Attempt[], actor: Actor): CopiesOfSite {
  const newest = new Map<string, Attempt>()
  for (const attempt of attempts) {
    // A site that moved has copies of two servers at one target.
    const { targetId } = attempt.repository
    if (attempt.isDone && (newest.get(targetId)?.at ?? '') < attempt.at) newest.set(targetId, attempt)
  }
  const done = [...newest.values()]
  const readerId = actor.kind === 'user' ? actor.user.id : null
  return {
    copies: done
      .map(({ repository: { label, isSafe }, at, bytes, proven }) => ({ target: label, at, isSafe, bytes, proven }))
      .sort((one, other) => (one.target < other.target ? -1 : 1)),
    newestAt: newestOf(done),
    failedAt: newestOf(attempts.filter(({ isDone }) => !isDone)),
    isOwn: done.some(({ repository: { ownerId } }) => ownerId === null || ownerId === readerId),
  }
}

/** In ms since 1970; 0 of none. */
const newestOf = (attempts: readonly Attempt[]): number => Math.max(0, ...attempts.map(({ at }) => Date.parse(at)))
