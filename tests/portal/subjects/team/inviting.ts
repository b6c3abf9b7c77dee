/** Inviting and accepting as the tests do it. */

import type { Person as Actor, Role } from '@/lib/portal/identity/actor'
import { acceptInvitation } from '@/lib/portal/subjects/team/accept'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { inputOf } from '@/tests/support/own-input'
import { device } from '../../identity/people'

export const password = 'Drei Kraniche ziehen nach Süden'

export const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? ''

export const codeOf = (outcome: { ok: true } | { ok: false; problem: { code: string } }) => (outcome.ok ? 'ok' : outcome.problem.code)

/** The token of a new invitation. */
export async function invite(actor: Actor, fields: { email?: string; role?: Role; endsOn?: string } = {}): Promise<string> {
  const invited = await inviteMember(inputOf(actor, { email: 'ada@example.org', role: 'operator', ...fields }))
  if (!invited.ok) throw new Error(JSON.stringify(invited.problem))
  return tokenOf(invited.data.link)
}

export const accept = (token: string, given: { name?: string; password?: string } = {}) =>
  acceptInvitation(token, { name: 'Ada', password, ...given }, device, null)
