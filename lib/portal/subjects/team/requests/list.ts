/** Requests for access: a member’s own, and those that they can answer. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import { may, mayManage } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { hasEnded } from '@/lib/portal/identity/membership'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import { mostWaiting } from '@/lib/text/access-requests'
import { toReadableDomain } from '@/lib/text/idn'
import type { AccessRequestState, Prisma } from '@/prisma/generated/portal/client'
import { openRequests } from './close'
import { findLacking, type Lacking } from './lacking'
import type { AskedPlace } from './place'
import { effectsOf } from './work'

export type AccessRequestView = {
  id: string
  asker: { id: string; name: string; role: Role | null }
  /** name: null if the reader no longer sees it. Null: none was named, and `wanted` says what is asked for. */
  place: { kind: AskedPlace['kind']; id: string; name: string | null } | null
  wanted: string
  subject: string
  effects: readonly Effect[]
  root: boolean
  /** null: without an end. */
  minutes: number | null
  why: string
  page: string
  state: AccessRequestState
  /** ISO. answeredAt: null while it is open. */
  at: string
  expiresAt: string
  answeredAt: string | null
  /** Who approved or refused it; empty if nobody did, or their account was deleted. */
  answeredBy: string
  reason: string
  /** Whether the reader can approve or refuse it now. */
  answerable: boolean
  /**
   * The names of those of whom one has to lend a connection before it can be used, the reader as “you” and last: of open ones, and of the
   * reader’s that were approved.
   */
  lenders: readonly string[]
  /** One of the reader’s that an approval can lend along; null if none has to be lent, or approving takes a second person. */
  lendable: { id: string; label: string } | null
}

/** Older ones are not listed; the audit log has them. */
const rememberedMs = 30 * 86_400_000
const most = 200

const listed = () => ({ createdAt: { gt: new Date(Date.now() - rememberedMs) } })

const include = { user: { select: { name: true, disabledAt: true } } } as const
type Row = Prisma.AccessRequestGetPayload<{ include: typeof include }>

/** own: the reader’s. others: of those whose access the reader may change, as far as they see the place; open ones first. Newest first. */
export type AccessRequests = { own: AccessRequestView[]; others: AccessRequestView[] }

export async function listAccessRequests(actor: Person): Promise<AccessRequests> {
  const [own, others] = await Promise.all([listOwnRequests(actor), listOthersRequests(actor)])
  return { own, others }
}

export async function listOwnRequests(actor: Person): Promise<AccessRequestView[]> {
  const where = { teamId: actor.team.id, userId: actor.user.id, ...listed() }
  return toViews(actor, await db().accessRequest.findMany({ where, include, orderBy: { createdAt: 'desc' }, take: most }))
}

export async function listOthersRequests(actor: Person): Promise<AccessRequestView[]> {
  if (!may(actor.role, 'team', 'change')) return []
  const where = { teamId: actor.team.id, userId: { not: actor.user.id }, ...listed() }
  const [newest, open] = [{ createdAt: 'desc' } as const, openRequests(new Date())]
  // Apart, so that many answered ones leave room for those that wait.
  const [waiting, past] = await Promise.all([
    db().accessRequest.findMany({ where: { ...where, ...open }, include, orderBy: newest, take: mostWaiting }),
    db().accessRequest.findMany({ where: { ...where, NOT: open }, include, orderBy: newest, take: most }),
  ])
  const views = await toViews(actor, [...waiting, ...past])
  return views.filter(({ place, asker: { role } }) => place?.name !== null && (role === null || mayManage(actor.role, role)))
}

/** How many wait for this member. */
export async function countAnswerable(actor: Person): Promise<number> {
  if (!may(actor.role, 'team', 'change')) return 0
  const where = { teamId: actor.team.id, userId: { not: actor.user.id }, ...openRequests(new Date()) }
  const views = await toViews(actor, await db().accessRequest.findMany({ where, include, take: mostWaiting }))
  return views.filter(({ answerable }) => answerable).length
}

async function toViews(actor: Person, rows: readonly Row[]): Promise<AccessRequestView[]> {
  if (rows.length === 0) return []
  const idsOf = (kind: string) => rows.flatMap(({ placeKind, placeId }) => (placeKind === kind ? [placeId] : []))
  const [servers, sites, members, answerers, needsSecond] = await Promise.all([
    findVisibleNames(actor, 'server', idsOf('server')),
    findVisibleNames(actor, 'site', idsOf('site')),
    db().membership.findMany({ where: { teamId: actor.team.id, userId: { in: rows.map(({ userId }) => userId) } } }),
    db().user.findMany({ where: { id: { in: rows.flatMap(({ decidedById }) => decidedById ?? []) } }, select: { id: true, name: true } }),
    needsSecondPerson(actor.team.id, 'access.approve'),
  ])
  const lasting = new Map(members.filter((each) => !hasEnded(each)).map(({ userId, role }) => [userId, role]))
  const names = new Map(answerers.map(({ id, name }) => [id, name]))
  const now = new Date()
  return Promise.all(rows.map(toView))

  async function toView(row: Row): Promise<AccessRequestView> {
    const known = (row.placeKind === 'server' ? servers : sites).get(row.placeId)
    const name = known === undefined ? null : toReadableDomain(known)
    const role = lasting.get(row.userId) ?? null
    const gone = role === null || row.user.disabledAt !== null
    const state = row.state !== 'open' ? row.state : row.expiresAt <= now ? 'expired' : gone ? 'closed' : 'open'
    const manages = role !== null && mayManage(actor.role, role)
    const isShown = state === 'open' || (state === 'approved' && row.userId === actor.user.id)
    const lacking = role !== null && name !== null && isShown ? await findLacking(row, role) : nothing
    const lenders = lacking.lent ? [] : lacking.lenders
    const [own] = lenders.filter(({ id }) => id === actor.user.id)
    // Only the loan is missing, which is nobody’s but the lenders’.
    const othersLend = lacking.granted && lenders.length > 0 && !own
    return {
      id: row.id,
      subject: row.subject,
      root: row.root,
      minutes: row.minutes,
      wanted: row.wanted,
      why: row.why,
      page: row.page,
      reason: row.reason,
      asker: { id: row.userId, name: row.user.name, role },
      place: row.placeKind === 'nowhere' ? null : { kind: row.placeKind, id: row.placeId, name },
      effects: effectsOf(row),
      state,
      at: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      answeredAt: row.decidedAt?.toISOString() ?? null,
      answeredBy: names.get(row.decidedById ?? '') ?? '',
      answerable:
        state === 'open' && row.userId !== actor.user.id && manages && (name !== null || row.placeKind === 'nowhere') && !othersLend,
      lenders: [...new Set(lenders.filter((each) => each.id !== actor.user.id).map((each) => each.name)), ...(own ? ['you'] : [])],
      lendable: own && !needsSecond ? { id: own.connectionId, label: own.label } : null,
    }
  }
}

const nothing: Lacking = { granted: false, lent: true, lenders: [] }
