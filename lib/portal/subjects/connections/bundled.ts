/** The connection to the bundled service, created at the first start. The service passes its API key to the portal without showing it. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { db } from '@/lib/portal/base/db'
import { sealCredential } from '@/lib/portal/custody/credential'

const bundledOrigin = 'bundled'

/**
 * Ensures that the team has a working connection to the bundled service. Calls `requestKey` only if there is no API key, or if the
 * service refused the present one because its database was replaced.
 */
export async function ensureBundledConnection(teamId: string, requestKey: () => Promise<string>): Promise<void> {
  const present = await db().connection.findFirst({ where: { teamId, kind: 'bundled' } })
  if (present && (present.state !== 'rejected' || present.frozenAt !== null)) return
  const id = present?.id ?? randomBytes(16).toString('base64url')
  const secretVersion = (present?.secretVersion ?? 0) + 1
  const label = present?.label ?? 'Bundled service'
  const sealed = await sealCredential({
    connection: { id, teamId, ownerId: null, origin: bundledOrigin, basePath: '', secretVersion, kind: 'bundled', label },
    key: await requestKey(),
  })
  const fields = { ...sealed, secretVersion, state: 'untried' as const, extensions: true }
  await db().connection.upsert({
    where: { id },
    update: { ...fields, rev: { increment: 1 } },
    create: { id, teamId, ownerId: null, label, kind: 'bundled', origin: bundledOrigin, basePath: '', ...fields },
  })
}
