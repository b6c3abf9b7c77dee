/** Tells members that access was given to them, changed or ended. */
import 'server-only'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'

/** about: what it gives, in words. startsAt and endsAt: if it begins later or has an end. */
type ToldAccess = {
  kind: 'access_given' | 'access_changed' | 'access_ended'
  requestId: string
  about: string
  startsAt?: Date | null
  endsAt?: Date | null
}

/** Whoever has it, but not the one who made the change. A guest reads no list of members, so each gets the link to their own page. */
export async function tellHolders(
  { user, team }: Person,
  { userId, role }: { userId: string | null; role: Role },
  { kind, requestId, about, startsAt, endsAt }: ToldAccess,
): Promise<void> {
  const holders = userId === null ? await findMembers(team.id, [role]) : [userId]
  const detail = {
    by: user.name,
    about,
    ...(startsAt && { startsAt: startsAt.toISOString() }),
    ...(endsAt && { endsAt: endsAt.toISOString() }),
  }
  for (const id of holders.filter((holder) => holder !== user.id)) {
    const subject = { kind: 'user', id } as const
    await notify({ teamId: team.id, userIds: [id], kind, onceKey: `${kind} ${requestId}`, subject, detail })
  }
}
