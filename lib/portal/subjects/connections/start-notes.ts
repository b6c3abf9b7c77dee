/** Notes for the operator at start-up about connections that a changed UPSTREAM_URL has made useless. */
import 'server-only'
import { upstreamOf } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { findTarget, parseBaseUrl } from '@/lib/portal/upstream/address'
import { getSettings } from '@/lib/settings/settings'

/** One or two sentences each, for the terminal; none while every connection leads to a service. */
export async function noteConnections(): Promise<string[]> {
  const connections = await db().connection.findMany({ orderBy: { createdAt: 'asc' } })
  const { upstreamUrl } = getSettings()
  const notes: string[] = []
  const bundled = connections.find(({ kind }) => kind === 'bundled')
  if (upstreamUrl && bundled) {
    notes.push(
      `While UPSTREAM_URL is set, the bundled service is not started, so the servers of “${bundled.label}” are unavailable. Unset it to get them back.`,
    )
  }
  const wanted = upstreamUrl && parseBaseUrl(upstreamUrl.href)
  if (wanted && 'code' in wanted) notes.push(`The service of UPSTREAM_URL cannot be called. ${wanted.sentence}`)
  else if (wanted && !connections.some(({ origin, basePath }) => origin === wanted.origin && basePath === wanted.basePath)) {
    notes.push(`No connection points to ${wanted.origin}${wanted.basePath} yet. Add it on the Connections page.`)
  }
  for (const connection of connections) {
    const target = findTarget(connection)
    if (!('code' in target) || target.code !== 'address_refused') continue
    const place = upstreamOf(connection)
    notes.push(`“${connection.label}” is no longer called: ${place} is private or plain http. Add its host to ALLOW_PRIVATE_UPSTREAMS.`)
  }
  return notes
}
