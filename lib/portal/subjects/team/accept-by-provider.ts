/** Accepts an invitation for somebody whose address an identity provider has verified: without its link, and without a password. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Claims } from '@/lib/portal/identity/single-sign-on/claims'
import { createRowId } from '@/lib/portal/identity/token'
import { recordAcceptance } from './acceptance'
import { joinByProvider } from './join'

type Proven = Claims & { email: string }

/** `accountId`: the account with that address, if there is one. Null without an open invitation; of simultaneous attempts one succeeds. */
export async function acceptByProvider(claims: Proven, accountId: string | null): Promise<{ userId: string; teamId: string } | null> {
  const invitation = await db().invitation.findFirst({
    where: { email: claims.email, acceptedAt: null, revokedAt: null, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
  })
  if (!invitation) return null
  const userId = accountId ?? createRowId()
  const { issuer, subject, name } = claims
  const account = accountId === null ? { name, passwordHash: null } : null
  const joined = await recordAcceptance(invitation, { userId, name }, { via: 'single sign-on', address: issuer }, () =>
    joinByProvider(invitation.id, { userId, account }, { issuer, subject, userId }),
  )
  return joined ? { userId, teamId: invitation.teamId } : null
}
