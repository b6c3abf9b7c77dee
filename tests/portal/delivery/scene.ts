/** A member with channels, and a clock that the test moves. */
import { expect } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { addChannel } from '@/lib/portal/delivery/change'
import { deliver } from '@/lib/portal/delivery/deliver'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { notify } from '@/lib/portal/notifications/notify'
import type { NotificationKind } from '@/prisma/generated/portal/client'
import { inputOf } from '@/tests/support/own-input'

export const minute = 60_000
export const hour = 60 * minute

export const everyTopic = 'servers,disks,certificates,backups,updates,jobs,connections,approvals,access,team,account'

const usual = { label: 'Pager', topics: everyTopic, timeZone: 'UTC' }

export async function add(actor: Actor, fields: Readonly<Record<string, string>>): Promise<{ channelId: string; secret: string }> {
  const added = await addChannel(inputOf(actor, { ...usual, ...fields }))
  expect(added).toMatchObject({ ok: true })
  return added.ok ? { channelId: added.data.channelId, secret: added.data.secret ?? '' } : { channelId: '', secret: '' }
}

export type Clock = {
  now: () => Date
  /** Rounds as the portal makes them, by default one each minute, for so long. */
  pass: (ms: number, everyMs?: number) => Promise<void>
}

export function startClock(): Clock {
  // Later than anything that is stored with the present time before the first event.
  let at = Date.now() + minute
  return {
    now: () => new Date(at),
    pass: async (ms, everyMs = minute) => {
      for (const end = at + ms; at < end; ) {
        at = Math.min(end, at + everyMs)
        await deliver(new Date(at))
      }
    },
  }
}

/** From now on this member views one server and nothing else. */
export async function limitTo({ user, team }: Actor, serverId: string): Promise<void> {
  await db().grant.deleteMany({ where: { userId: user.id } })
  await db().grant.create({
    data: {
      id: `only ${serverId} for ${user.id}`,
      teamId: team.id,
      userId: user.id,
      subjects: '*',
      effects: 'read',
      validFrom: new Date(0),
      scopes: { create: { kind: 'server', about: serverId } },
    },
  })
}

let made = 0

/** An event for this member and others, noticed now. */
export function tell(
  actor: Actor,
  clock: Clock,
  label: string,
  more: { kind?: NotificationKind; serverId?: string; detail?: Record<string, string>; others?: readonly Actor[] } = {},
): Promise<void> {
  const { kind = 'key_frozen', serverId, detail = { label, by: 'Robin' }, others = [] } = more
  made += 1
  return notify({
    teamId: actor.team.id,
    userIds: [actor, ...others].map(({ user }) => user.id),
    kind,
    onceKey: `event ${made}`,
    detail,
    at: clock.now(),
    ...(serverId && { subject: { kind: 'server', id: serverId } }),
  })
}

/** Runs `work` while no entry of this action can be written, as if the process ended there. */
export async function withoutEntry(action: string, work: () => Promise<unknown>): Promise<void> {
  await db().$executeRawUnsafe(
    `CREATE TRIGGER ended BEFORE INSERT ON AuditRow WHEN NEW.action = '${action}' BEGIN SELECT RAISE(ABORT, 'ended'); END`,
  )
  await work().catch(() => undefined)
  await db().$executeRawUnsafe('DROP TRIGGER ended')
}

export const entriesOf = (action: string) => db().auditRow.count({ where: { action } })
