/** Notifies users that a way to sign in was added to their account or removed, in case it was not them. */
import 'server-only'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { notify } from '@/lib/portal/notifications/notify'
import { createRowId } from './token'

/** As the notification says it. Other changes of one's own need none. */
const changes: Partial<Record<OwnAction, { method: string; change: 'added' | 'removed' }>> = {
  'person.addTotp': { method: 'an authenticator app', change: 'added' },
  'person.removeTotp': { method: 'an authenticator app', change: 'removed' },
  'person.addPasskey': { method: 'a passkey', change: 'added' },
  'person.removePasskey': { method: 'a passkey', change: 'removed' },
  'person.connectProvider': { method: 'an identity provider', change: 'added' },
  'person.disconnectProvider': { method: 'an identity provider', change: 'removed' },
}

/** After the change. */
export async function notifyWaysIn(teamId: string, userId: string, action: OwnAction): Promise<void> {
  const detail = changes[action]
  if (!detail) return
  const event = { kind: 'sign_in_method_changed', onceKey: `way in:${createRowId()}`, subject: { kind: 'user', id: userId } } as const
  await notify({ teamId, userIds: [userId], ...event, detail })
}
