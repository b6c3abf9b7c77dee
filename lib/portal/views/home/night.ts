/** Last night on Home: backups, renewals, updates, reboots, failures, outages, and sign-ins from new browsers. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { ownerOf } from '@/lib/portal/access/connections'
import { may } from '@/lib/portal/access/roles'
import { findSight, findVisibleNames, serversListedFor } from '@/lib/portal/access/visible'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import { takeKept } from '@/lib/portal/base/take-kept'
import type { Actor } from '@/lib/portal/identity/actor'
import { siftJobs } from '@/lib/portal/jobs/visible'
import type { Prisma } from '@/prisma/generated/portal/client'
import {
  eventOfJob,
  eventOfOutage,
  eventOfSignIn,
  markEvents,
  type NightEvent,
  type NightKind,
  type NightMark,
  shownIfDone,
} from './night-marks'
import { lastNight, type NightWindow } from './night-window'

export type { NightKind, NightMark }

export type NightView = {
  /** ISO: from evening to morning in the reader's time zone; `to` may be later than now. */
  from: string
  to: string
  /** In order of time. */
  marks: NightMark[]
  /** Whether more happened than was read. */
  isCut: boolean
  /** When the first server was added that the reader sees, ISO; null without any. */
  since: string | null
}

const maxJobs = 5_000
const maxNotifications = 500
/** The longest that a job is expected to run: rows are found by when they began. */
const longestMs = 12 * 3_600_000

/** From the database alone. zone: an IANA name. */
export async function readNight(actor: Actor, zone: string, now = Date.now()): Promise<NightView> {
  const night = lastNight(now, zone)
  const [jobs, notified, since] = await Promise.all([readJobs(actor, night), readNotified(actor, night), findFirstAdded(actor)])
  return {
    from: new Date(night.from).toISOString(),
    to: new Date(night.to).toISOString(),
    marks: markEvents([...jobs.events, ...notified.events], zone),
    isCut: jobs.isCut || notified.isCut,
    since,
  }
}

/** The same for a page whose other parts do not depend on it: a failure is logged. */
export async function findNight(actor: Actor, zone: string): Promise<Outcome<NightView>> {
  try {
    return { ok: true, data: await readNight(actor, zone) }
  } catch (err) {
    log.error({ err }, 'last night could not be read')
    return { ok: false, problem: problem('internal') }
  }
}

type Read = { events: NightEvent[]; isCut: boolean }

async function readJobs(actor: Actor, { from, to }: NightWindow): Promise<Read> {
  const { where, keeps } = await siftJobs(actor)
  const rows = await db().job.findMany({
    where: {
      AND: [
        where,
        {
          teamId: actor.team.id,
          startedAt: { gte: new Date(from - longestMs), lt: new Date(to) },
          endedAt: { gte: new Date(from), lt: new Date(to) },
          OR: [{ operation: { in: [...shownIfDone.keys()] }, state: 'done' }, { state: { in: ['failed', 'interrupted', 'unknown'] } }],
        },
      ],
    },
    select: { id: true, operation: true, state: true, serverId: true, siteId: true, targetName: true, endedAt: true },
    orderBy: { startedAt: 'desc' },
    take: maxJobs + 1,
  })
  const kept = rows.slice(0, maxJobs).filter(keeps)
  return { events: kept.flatMap((job) => eventOfJob(job) ?? []), isCut: rows.length > maxJobs }
}

/** Outages as they were announced to the reader. Sign-ins of others for who may read Activity, which has them too. */
async function readNotified(actor: Actor, { from, to }: NightWindow): Promise<Read> {
  const [ownId, teamId] = [ownerOf(actor), actor.team.id]
  const others = may(actor.role, 'auditLog', 'read') ? [{ kind: 'new_device' as const }] : []
  const own: Prisma.NotificationWhereInput[] =
    ownId === null ? [] : [{ userId: ownId, kind: { in: ['new_device', 'server_unreachable', 'server_reachable'] } }]
  if (own.length + others.length === 0) return { events: [], isCut: false }
  const rows = await db().notification.findMany({
    where: { teamId, createdAt: { gte: new Date(from), lt: new Date(to) }, OR: [...own, ...others] },
    include: { user: { select: { name: true } } },
    orderBy: { createdAt: 'desc' },
    take: maxNotifications + 1,
  })
  const read = rows.slice(0, maxNotifications)
  const ids = read.flatMap(({ kind, subjectId }) => (kind === 'new_device' ? [] : (subjectId ?? [])))
  const names = await findVisibleNames(actor, 'server', ids)
  const events = read.flatMap(({ kind, subjectId, userId, user, detail, createdAt: at }): NightEvent[] => {
    if (kind === 'new_device') {
      const { device } = readDetail(detail)
      const named = typeof device === 'string' && device !== '' ? device : 'unknown'
      return [eventOfSignIn({ userId, name: user.name, device: named, at, isOwn: userId === ownId })]
    }
    const name = names.get(subjectId ?? '')
    return name === undefined ? [] : [eventOfOutage({ serverId: subjectId ?? '', name, at, isBack: kind === 'server_reachable' })]
  })
  return { events, isCut: rows.length > maxNotifications }
}

async function findFirstAdded(actor: Actor): Promise<string | null> {
  const [sees, where] = [await findSight(actor), await serversListedFor(actor)]
  const found = { where, select: { id: true, createdAt: true }, orderBy: [{ createdAt: 'asc' as const }, { id: 'asc' as const }] }
  const [first] = await takeKept(
    (page) => db().server.findMany({ ...found, ...page }),
    ({ id }) => sees({ kind: 'server', serverId: id }),
    1,
  )
  return first?.createdAt.toISOString() ?? null
}
