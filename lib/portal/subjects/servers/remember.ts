/** What an operation's outcome changes in the portal's own rows of servers. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Answer, Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import { placeOf } from '@/lib/portal/access/connections'
import type { Decision } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { dropLabels } from '../labels/labels'
import { dropUndos } from '../revert/kept'
import { forgetListing } from './refresh-cache'
import { noteUnsettled } from './settle'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * After servers.create: makes the row and answers its opaque id, so that a page can go there at once. After
 * servers.update, servers.setHostname and servers.resetKey: the row says what was sent. After servers.delete: it is gone. Any change makes the next list ask anew.
 */
export async function rememberOutcome(
  operation: Operation,
  decision: Decision,
  fields: Readonly<Record<string, unknown>>,
  outcome: Outcome<Answer<Operation>>,
): Promise<string | null> {
  if (operation.effect === 'read') return null
  forgetListing(decision.connection.id)
  if (!outcome.ok) {
    const lost = outcome.problem.code === 'outcome_unknown' && operation.id === contract.servers.delete.id
    if (lost && decision.server) await noteUnsettled(decision.server.id)
    return null
  }
  if (operation.id === contract.servers.delete.id && decision.server) {
    // `listedAt` moves on, so that a list asked for before this does not bring it back.
    const now = new Date()
    await db().server.update({ where: { id: decision.server.id }, data: { goneAt: now, listedAt: now } })
    await dropLabels('server', decision.server.id)
    await dropUndos(decision.server.id)
  }
  if (operation.id === contract.servers.update.id && decision.server) await rememberNames(decision.server.id, fields)
  if (operation.id === contract.servers.setHostname.id && decision.server) await rememberHostname(decision.server.id, fields)
  if (operation.id === contract.servers.resetKey.id && decision.server) await rememberHostKey(decision.server.id, fields)
  if (operation.id === contract.sites.delete.id && decision.site) await dropLabels('site', decision.site.id)
  if (operation.id !== contract.servers.create.id) return null
  const created = contract.servers.create.answer.safeParse(outcome.data)
  if (!created.success) return null
  return rememberServer(decision, created.data.items[0].id, { ...fields, host_key: created.data.host_key })
}

/** `listedAt` moves on, so that a list asked for before the update does not bring the old names back. */
async function rememberNames(id: string, { name, dns }: Readonly<Record<string, unknown>>): Promise<void> {
  const names = { ...(typeof name === 'string' && { name: name.trim() }), ...(typeof dns === 'string' && { dns }) }
  await db().server.update({ where: { id }, data: { ...names, listedAt: new Date() } })
}

/** Names of hosts know no capitals; the next list tells what the service made of it. */
async function rememberHostname(id: string, { hostname }: Readonly<Record<string, unknown>>): Promise<void> {
  if (typeof hostname === 'string')
    await db().server.update({ where: { id }, data: { hostname: hostname.trim().toLowerCase(), listedAt: new Date() } })
}

/** Without one the service has kept the key it knew. */
async function rememberHostKey(id: string, { host_key }: Readonly<Record<string, unknown>>): Promise<void> {
  if (typeof host_key === 'string') await db().server.update({ where: { id }, data: { hostKey: host_key, listedAt: new Date() } })
}

async function rememberServer(decision: Decision, upstreamId: string, fields: Readonly<Record<string, unknown>>): Promise<string> {
  const { connection } = decision
  const now = new Date()
  const known = {
    name: textOf(fields.name),
    dns: textOf(fields.dns),
    provider: connection.extensions ? textOf(fields.provider) : '',
    hostname: '',
    address: textOf(fields.host),
    state: connection.extensions ? 'new' : '',
    hostKey: textOf(fields.host_key),
    listedAt: now,
  }
  const place = { teamId: connection.teamId, origin: placeOf(connection), upstreamId }
  const { id } = await db().server.upsert({
    where: { teamId_origin_upstreamId: place },
    create: { id: createOpaqueId(), ...place, ...known },
    update: { ...known, goneAt: null },
  })
  const link = { serverId: id, connectionId: connection.id }
  await db().serverOnConnection.upsert({
    where: { serverId_connectionId: link },
    create: { ...link, provenAt: now },
    update: { provenAt: now },
  })
  return id
}
