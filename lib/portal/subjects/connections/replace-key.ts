/** Replaces a connection's API key. The old key is kept until the new one is verified. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { holdsKey, sealCredential } from '@/lib/portal/custody/credential'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { refuseFields } from '@/lib/portal/spine/refuse-fields'
import type { Connection } from '@/prisma/generated/portal/client'
import { forgetListing } from '../listing/cache'
import { provenNow } from './create'
import { findKeptConnection, keeperOf } from './find'
import { refuseConfirmation, refuseKey } from './form'
import { type Proof, proveConnection } from './prove'
import { runForConnection } from './recorded'

const action = 'connection.replaceKey' as const

/**
 * Fields: connectionId, apiKey, confirmName, password if it was not entered recently, and `loseServers` to accept that the new key lists
 * fewer servers. Returns the number of servers that the new key lists.
 */
export async function replaceKey({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<{ label: string; servers: number }>> {
  const found = await findKeptConnection(actor, action, field('connectionId'))
  if (!found.ok) return found
  const connection = found.data
  const key = field('apiKey').trim()
  const refused = await refuseForm(connection, key, field('confirmName'))
  if (refused) return { ok: false, problem: refused }
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const { id, label } = connection
  const change = { actor, action, requestId, connectionId: id, keeper: keeperOf(connection), detail: { label } }
  return runForConnection(change, async (recheck) => {
    const next = await withKey(connection, key)
    const proven = await proveConnection(next)
    if (!proven.ok) return { ok: false, problem: keptOld(proven.problem) }
    const lost = field('loseServers') === 'on' ? null : await refuseLoss(connection, proven.data)
    if (lost) return { ok: false, problem: lost }
    // The service decides how long its answer takes.
    const still = await recheck()
    if (!still.ok) return still
    if (!(await swap(connection, next, proven.data))) return { ok: false, problem: problem('changed_meanwhile') }
    forgetListing(id)
    return { ok: true, data: { label, servers: proven.data.serverIds.length } }
  })
}

async function refuseForm(connection: Connection, key: string, typed: string): Promise<Problem | null> {
  const same = connection.state === 'working' && (await holdsKey(connection, key))
  return refuseFields({
    apiKey: refuseKey(key) ?? (same ? 'This connection already uses this key. Enter the new one.' : null),
    confirmName: refuseConfirmation(typed, connection.label),
  })
}

async function withKey(connection: Connection, key: string): Promise<Connection> {
  const next = { ...connection, secretVersion: connection.secretVersion + 1 }
  return { ...next, ...(await sealCredential({ connection: next, key })) }
}

/** This form has no address field, so it shows problems with the address at the key. */
function keptOld(why: Problem): Problem {
  const advice = Object.values(why.fields ?? {}).join(' ')
  return { ...why, fields: { apiKey: `${advice} The old key is still in use.` } }
}

/** A key of another account works too but would empty the list, so the user has to confirm that first. */
async function refuseLoss({ id }: Connection, { serverIds }: Proof): Promise<Problem | null> {
  const listed = await db().server.findMany({
    where: { goneAt: null, connections: { some: { connectionId: id } } },
    select: { name: true, upstreamId: true },
    orderBy: { name: 'asc' },
  })
  const seen = new Set(serverIds)
  const lost = listed.filter(({ upstreamId }) => !seen.has(upstreamId)).map(({ name }) => name)
  if (lost.length === 0) return null
  const named = `${lost.slice(0, 3).join(', ')}${lost.length > 3 ? ` and ${lost.length - 3} more` : ''}`
  const loseServers = `The new key works, but does not list these servers of the old one: ${named}. It may belong to another account.`
  return problem('invalid', { fields: { loseServers } })
}

/** False if another request replaced the key meanwhile, or changed the label that it is bound to. */
async function swap(old: Connection, { sealedKey, kekId, fingerprint, secretVersion }: Connection, proof: Proof): Promise<boolean> {
  return db().$transaction(async (tx) => {
    const { count } = await tx.connection.updateMany({
      where: { id: old.id, secretVersion: old.secretVersion, label: old.label },
      data: { sealedKey, kekId, fingerprint, secretVersion, rev: { increment: 1 }, ...provenNow(proof) },
    })
    // The new key may belong to another account, and the test only covers servers: sites reappear with the next list.
    if (count === 1) await tx.siteOnConnection.deleteMany({ where: { connectionId: old.id } })
    return count === 1
  })
}
