/** Servers and sites of a team as its portal stores them, which a connection of the team lists. */
import { db } from '@/lib/portal/base/db'

/** The server's id. */
export async function createServer(teamId: string, name: string, domains: readonly string[] = []): Promise<string> {
  const [connectionId, serverId, listedAt] = [`connection-${name}`, `server-${name}`, new Date()]
  const origin = `https://${name}.example`
  const connection = { teamId, label: name, kind: 'foreign', origin, basePath: '', state: 'working' } as const
  await db().connection.create({
    data: { id: connectionId, ...connection, sealedKey: Buffer.from('x'), kekId: 'x', secretVersion: 1, fingerprint: '' },
  })
  const connections = { create: { connectionId, provenAt: listedAt } }
  const listed = { teamId, origin, listedAt, connections }
  await db().server.create({ data: { id: serverId, ...listed, upstreamId: '1', name, hostname: '', dns: '', state: 'ready' } })
  for (const domain of domains) await db().site.create({ data: { id: `site-${domain}`, ...listed, upstreamId: domain, serverId, domain } })
  return serverId
}
