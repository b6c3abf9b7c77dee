/** Which servers the sampler checks, and over which connection: never a user's own. docs/decisions/016-who-is-asked-unattended.md */
import 'server-only'
import { chooseConnection } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import type { Connection, Prisma, Server } from '@/prisma/generated/portal/client'

/** Installed, or of a service that does not report installs. */
const asked = { goneAt: null, state: { in: ['ready', ''] } }

/** A connection of the team that is not frozen and works, as far as is known. */
const usable = { ownerId: null, frozenAt: null, state: { in: ['working', 'untried'] } } satisfies Prisma.ConnectionWhereInput

/** The servers to check, always in the same order, so that the interval between two checks of a server is even. */
export async function listAsked(): Promise<string[]> {
  const where = { ...asked, connections: { some: { connection: usable } } }
  return (await db().server.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } })).map(({ id }) => id)
}

/** Looked up just before the check, so that a revoked connection is not used. Null if the server is not to be checked any more. */
export async function findWay(serverId: string): Promise<{ server: Server; connection: Connection } | null> {
  const connections = { where: { connection: usable }, include: { connection: true }, orderBy: { provenAt: 'desc' } } as const
  const found = await db().server.findFirst({ where: { id: serverId, ...asked }, include: { connections } })
  if (!found) return null
  const { connections: links, ...server } = found
  const chosen = await chooseConnection(links.map(({ connection }) => connection))
  return 'problem' in chosen || chosen.connection.teamId !== server.teamId ? null : { server, connection: chosen.connection }
}
