/** A user's account at an identity provider, for the page Account: shown and disconnected. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { inTransaction } from '@/lib/portal/base/transaction'
import { getSettings } from '@/lib/settings/settings'
import type { Prisma } from '@/prisma/generated/portal/client'
import { findActor, type Person } from '../actor'
import { recordOwnChange } from '../own-change'
import { requiresSingleSignOn } from './required'
import { startSingleSignOn } from './start'

/** since, lastUsedAt: ISO. name: the configured provider's; the issuer for another one. */
export type ConnectedProvider = { issuer: string; name: string; since: string; lastUsedAt: string | null }

/**
 * offered: what can be connected; null if nothing can. drops: whether connecting removes the other ways in (addIdentity). stays: why the
 * connected one cannot be disconnected; null if it can.
 */
export type OwnProvider = { connected: ConnectedProvider | null; offered: string | null; drops: boolean; stays: string | null }

export async function findOwnProvider({ user, role, team }: Person): Promise<OwnProvider> {
  const { singleSignOn } = getSettings()
  const row = await db().externalIdentity.findFirst({ where: { userId: user.id } })
  if (!row) {
    const unproven = await db().user.count({ where: { id: user.id, emailProvenAt: null } })
    return { connected: null, offered: singleSignOn?.name ?? null, drops: unproven > 0 && role !== 'owner', stays: null }
  }
  const name = singleSignOn?.issuer === row.issuer ? singleSignOn.name : row.issuer
  const connected = { issuer: row.issuer, name, since: row.createdAt.toISOString(), lastUsedAt: row.lastUsedAt?.toISOString() ?? null }
  return { connected, offered: null, drops: false, stays: await whyStays(user.id, team.id) }
}

/** Begins a sign-in that the provider may not let through silently; null for whoever is not connected, or if it did not respond. */
export async function startOwnProvider(back: string): Promise<{ location: string } | null> {
  const actor = await findActor()
  if (!actor || (await db().externalIdentity.count({ where: { userId: actor.user.id } })) === 0) return null
  const started = await startSingleSignOn(back, { reauthenticate: true })
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
  return inTransaction(async (tx) => {
    await tx.externalIdentity.deleteMany({ where: { userId } })
    const refusal = await whyStays(userId, teamId, tx)
    return refusal === null ? { ok: true, data: null } : { ok: false, problem: problem('forbidden', { sentence: refusal }) }
  })
}

/** Null if the user may sign in another way. */
async function whyStays(userId: string, teamId: string, client: Prisma.TransactionClient = db()): Promise<string | null> {
  const otherWays = { OR: [{ passwordHash: { not: null } }, { passkeys: { some: {} } }] }
  if ((await client.user.count({ where: { id: userId, ...otherWays } })) === 0)
    return 'This is your only way to sign in. Set a password or add a passkey first.'
  const membership = await client.membership.findUnique({ where: { userId_teamId: { userId, teamId } }, include: { team: true } })
  return membership && requiresSingleSignOn(membership) ? 'Your team requires single sign-on.' : null
}
