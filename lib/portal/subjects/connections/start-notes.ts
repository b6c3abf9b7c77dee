/** What whoever starts Gatehouse has to know of its connections: where a changed UPSTREAM_URL leaves them. */
import 'server-only'
import { upstreamOf } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { findTarget, parseBaseUrl } from '@/lib/portal/upstream/address'
import { getSettings } from '@/lib/settings/settings'

/** One sentence or two each, for the terminal; none while everything leads somewhere. */
export async function noteConnections(): Promise<string[]> {
  const connections = await db().connection.findMany({ orderBy: { createdAt: 'asc' } })
  const { upstreamUrl } = getSettings()
  const notes: string[] = []
  const bundled = connections.find(({ kind }) => kind === 'bundled')
  if (upstreamUrl && bundled) {
    notes.push(
      `While UPSTREAM_URL is set the bundled service is not started: the servers of “${bundled.label}” do not answer. Unset it to have them back.`,
    )
  }
  const wanted = upstreamUrl && parseBaseUrl(upstreamUrl.href)
  if (wanted && 'code' in wanted) notes.push(`The service of UPSTREAM_URL cannot be called. ${wanted.sentence}`)
  else if (wanted && !connections.some(({ origin, basePath }) => origin === wanted.origin && basePath === wanted.basePath)) {
    notes.push(`No connection leads to ${wanted.origin}${wanted.basePath} yet. Give its address and API key on the page Keys.`)
  }
  for (const connection of connections) {
    const target = findTarget(connection)
    if (!('code' in target) || target.code !== 'address_refused') continue
    const place = upstreamOf(connection)
    notes.push(`“${connection.label}” is not called any more: ${place} is private or plain http. Name its host in ALLOW_PRIVATE_UPSTREAMS.`)
  }
  return notes
}
