/** Whom the portal asks by itself, and with whose key: never with a person's own. docs/decisions/016-who-is-asked-unattended.md */
import 'server-only'
import { chooseConnection } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import type { Connection, Server } from '@/prisma/generated/portal/client'

/** Installed, or of a service that says nothing of that. */
const asked = { goneAt: null, state: { in: ['ready', ''] } }

/** A key of the team that works as far as is known. */
const usable = { ownerId: null, state: { in: ['working', 'untried'] } }

/** The servers there are to look at, always in the same order, so that the time between two looks at one is even. */
export async function listAsked(): Promise<string[]> {
  const where = { ...asked, through: { some: { connection: usable } } }
  return (await db().server.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } })).map(({ id }) => id)
}

/** Looked up anew just before the question: a key that was taken away meanwhile is not used. Null where nobody is to be asked. */
export async function findWay(serverId: string): Promise<{ server: Server; connection: Connection } | null> {
  const through = { where: { connection: usable }, include: { connection: true }, orderBy: { provenAt: 'desc' } } as const
  const found = await db().server.findFirst({ where: { id: serverId, ...asked }, include: { through } })
  if (!found) return null
  const { through: ways, ...server } = found
  const chosen = chooseConnection(ways.map(({ connection }) => connection))
  return 'problem' in chosen || chosen.connection.teamId !== server.teamId ? null : { server, connection: chosen.connection }
}
