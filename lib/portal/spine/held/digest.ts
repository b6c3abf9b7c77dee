/** The digest of everything that a held request will send. */
import 'server-only'
import { createHmac } from 'node:crypto'
import type { Operation } from '@/lib/contract/operation'
import type { Decision } from '@/lib/portal/access/decide'
import { findOrCreateSecret } from '@/lib/portal/custody/secrets'
import type { PreparedRequest } from '../prepare-request'

// Of what the digest covers: a request that another version held is not sent by this one if it differs.
const version = 1

/** Keyed, because the request may contain a password that could be guessed from a plain hash, and the audit log has the digest. */
export async function digestOf(content: unknown): Promise<string> {
  const { key } = await findOrCreateSecret('approval')
  return createHmac('sha256', key).update(JSON.stringify(content)).digest('base64url')
}

/** id: of the held request. The server and the site are covered with the names that were shown. */
export function digestOfOperation(
  { id, teamId, askedById }: { id: string; teamId: string; askedById: string },
  operation: Operation,
  { connection, server, site, name }: Decision,
  { method, path, body = '', contentType = '' }: PreparedRequest,
): Promise<string> {
  return digestOf([
    version,
    [id, teamId, askedById],
    [operation.id, name],
    server && [server.id, server.upstreamId, server.name, server.dns],
    site && [site.id, site.upstreamId, site.domain],
    [connection.id, connection.kind, connection.origin, connection.basePath],
    [method, path, body, contentType],
  ])
}
