/** Checks a passkey of a user who is known already: as the second factor, or to confirm an action. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { recordAudit } from '@/lib/portal/audit/record'
import type { Device } from '@/lib/portal/base/request/device'
import type { PasskeyChallengeKind } from '@/prisma/generated/portal/client'
import type { Person } from '../actor'
import { eventOf } from '../check-password'
import { checkPasskey, refusePasskey } from './check'

type Given = { passkey: string; purpose: PasskeyChallengeKind; action: OwnAction }

/** A problem at the field `passkey` unless it is this user's and answers a challenge of this session. A wrong one is logged under `action`. */
export async function checkOwnPasskey(
  person: Person,
  { passkey, purpose, action }: Given,
  { peer, userAgent }: Device,
): Promise<Outcome<{ via: 'a passkey' }>> {
  const checked = await checkPasskey(passkey, { purpose, boundTo: person.sessionId }, person.user.id)
  if (checked.ok) return { ok: true, data: { via: 'a passkey' } }
  const { reason } = checked
  if (reason !== null)
    await recordAudit({ ...eventOf(person, action), stage: 'event', outcome: 'failed', detail: { peer, userAgent, reason } })
  return { ok: false, problem: refusePasskey() }
}
