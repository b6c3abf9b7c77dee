/** Updates the portal's rows after operations on servers. */
import 'server-only'
import { changesSomething } from '@/lib/contract/policy'
import { upstreamOf } from '@/lib/portal/access/connections'
import type { Decision } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { OutcomeHooks } from '@/lib/portal/spine/hooks'
import { forgetListing } from '../listing/cache'
import { deleteDependents, serverDeletes } from './gone'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const serversHooks = {
  /** After any change the next list must call the service again. */
  each: async ({ operation, decision }) => {
    if (changesSomething(operation)) forgetListing(decision.connection.id)
  },
  after: {
    'servers.delete': async ({ decision: { server }, outcome }) => {
      if (server && outcome.ok) await forgetServer(server.id)
      else if (server && !outcome.ok && outcome.problem.code === 'outcome_unknown') await serverDeletes.note(server.id)
    },
    'servers.update': async ({ decision: { server }, fields, outcome }) => {
      if (server && outcome.ok) await rememberNames(server.id, fields)
    },
    'servers.setHostname': async ({ decision: { server }, fields, outcome }) => {
      if (server && outcome.ok) await rememberHostname(server.id, fields)
    },
    'servers.resetKey': async ({ decision: { server }, fields, outcome }) => {
      if (server && outcome.ok) await rememberHostKey(server.id, fields)
    },
  },
  made: {
    /** The row is created immediately, so that a page can redirect to it. */
    'servers.create': ({ decision, fields, answer }) =>
      rememberServer(decision, answer.items[0].id, { ...fields, host_key: answer.host_key }),
  },
} satisfies OutcomeHooks

/** Advances `listedAt`, so that a list requested before the deletion does not bring the server back. */
async function forgetServer(id: string): Promise<void> {
  const now = new Date()
  await db().server.update({ where: { id }, data: { goneAt: now, listedAt: now } })
  await deleteDependents(id)
}

/** Advances `listedAt`, so that a list requested before the update does not bring the old names back. */
async function rememberNames(id: string, { name, dns }: Readonly<Record<string, unknown>>): Promise<void> {
  const names = { ...(typeof name === 'string' && { name: name.trim() }), ...(typeof dns === 'string' && { dns }) }
  await db().server.update({ where: { id }, data: { ...names, listedAt: new Date() } })
}

/** Hostnames are case-insensitive; the next list shows what the service stored. */
async function rememberHostname(id: string, { hostname }: Readonly<Record<string, unknown>>): Promise<void> {
  if (typeof hostname === 'string')
    await db().server.update({ where: { id }, data: { hostname: hostname.trim().toLowerCase(), listedAt: new Date() } })
}

/** Without a host key in the request the service kept its own. */
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
  const place = { teamId: connection.teamId, origin: upstreamOf(connection), upstreamId }
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
