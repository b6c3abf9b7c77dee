/** A member with channels, and a clock that the test moves. */
import { expect } from 'vitest'
import { addChannel } from '@/lib/portal/delivery/change'
import { deliver } from '@/lib/portal/delivery/deliver'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { notify } from '@/lib/portal/notifications/notify'
import type { NotificationKind } from '@/prisma/generated/portal/client'
import { inputOf } from '@/tests/support/own-input'

export const minute = 60_000
export const hour = 60 * minute

export const everyTopic = 'servers,disks,certificates,backups,jobs,connections,approvals,access,team,account'

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

let made = 0

/** An event for this member, noticed now. */
export function tell(
  actor: Actor,
  clock: Clock,
  label: string,
  more: { kind?: NotificationKind; serverId?: string; detail?: Record<string, string> } = {},
): Promise<void> {
  const { kind = 'key_frozen', serverId, detail = { label, by: 'Robin' } } = more
  made += 1
  return notify({
    teamId: actor.team.id,
    userIds: [actor.user.id],
    kind,
    onceKey: `event ${made}`,
    detail,
    at: clock.now(),
    ...(serverId && { subject: { kind: 'server', id: serverId } }),
  })
}
