/** A user's account at an identity provider, for the page Account: shown and disconnected. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { inTransaction } from '@/lib/portal/base/transaction'
import { getSettings } from '@/lib/settings/settings'
import { findActor, type Person } from '../actor'
import { recordOwnChange } from '../second-factor/own-change'
import { requiresSingleSignOn } from './required'
import { startSingleSignOn } from './start'

/** since, lastUsedAt: ISO. name: the configured provider's; the issuer for another one. */
export type ConnectedProvider = { issuer: string; name: string; since: string; lastUsedAt: string | null }

/** offered: what can be connected; null if nothing can. drops: whether connecting removes the other ways in (addIdentity). */
export type OwnProvider = { connected: ConnectedProvider | null; offered: string | null; drops: boolean }

export async function findOwnProvider({ user, role }: Person): Promise<OwnProvider> {
  const { singleSignOn } = getSettings()
  const row = await db().externalIdentity.findFirst({ where: { userId: user.id } })
  if (!row) {
    const unproven = await db().user.count({ where: { id: user.id, emailProvenAt: null } })
    return { connected: null, offered: singleSignOn?.name ?? null, drops: unproven > 0 && role !== 'owner' }
  }
  const name = singleSignOn?.issuer === row.issuer ? singleSignOn.name : row.issuer
  const connected = { issuer: row.issuer, name, since: row.createdAt.toISOString(), lastUsedAt: row.lastUsedAt?.toISOString() ?? null }
  return { connected, offered: null, drops: false }
}

/** Begins a sign-in that the provider may not let through silently; null for whoever is not connected, or if it did not respond. */
export async function startOwnProvider(back: string): Promise<{ location: string } | null> {
  const actor = await findActor()
  if (!actor || (await db().externalIdentity.count({ where: { userId: actor.user.id } })) === 0) return null
  const started = await startSingleSignOn(back, { anew: true })
  return started.ok ? started.data : null
}

/** Not the last way in, and not while the team requires it. The writing statement comes first, so what is read after it is current. */
export async function disconnectProvider(actor: Person, requestId: string): Promise<Outcome<null>> {
  const userId = actor.user.id
  const row = await db().externalIdentity.findFirst({ where: { userId } })
  if (!row) return { ok: false, problem: problem('not_found', { sentence: 'Your account is not connected with an identity provider.' }) }
  const change = () => remove(userId, actor.team.id)
  return recordOwnChange(actor, 'person.disconnectProvider', requestId, change, { address: row.issuer })
}

function remove(userId: string, teamId: string): Promise<Outcome<null>> {
  const refuse = (sentence: string) => ({ ok: false, problem: problem('forbidden', { sentence }) }) as const
  return inTransaction(async (tx) => {
    await tx.externalIdentity.deleteMany({ where: { userId } })
    const [user, passkeys, membership] = [
      await tx.user.findUnique({ where: { id: userId }, select: { passwordHash: true } }),
      await tx.passkey.count({ where: { userId } }),
      await tx.membership.findUnique({ where: { userId_teamId: { userId, teamId } }, include: { team: true } }),
    ]
    if (user?.passwordHash == null && passkeys === 0)
      return refuse('This is your only way to sign in. Set a password or add a passkey first.')
    if (membership && requiresSingleSignOn(membership)) return refuse('Your team requires single sign-on.')
    return { ok: true, data: null }
  })
}
