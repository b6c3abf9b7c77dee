/** Whether an origin is that of this portal, and whether a proxy in front of it hides that from Next. */
import 'server-only'
import { isLoopback } from '@/lib/settings/loopback'

/** localhost, 127.0.0.1 and [::1] are equivalent if scheme and port match. */
export function isOwnOrigin(origin: string | null, publicUrl: URL): boolean {
  if (origin === publicUrl.origin) return true
  if (origin === null || !isLoopback(publicUrl) || !URL.canParse(origin)) return false
  const given = new URL(origin)
  return given.origin === origin && isLoopback(given) && given.protocol === publicUrl.protocol && given.port === publicUrl.port
}

/**
 * Whether a request of one of our own pages arrives with another Host than the browser used. Next compares the two and then refuses every action,
 * with an error that names nothing.
 */
export function isHostRewritten(sent: { origin?: string | undefined; host?: string | undefined }, publicUrl: URL): boolean {
  const { origin = null, host = '' } = sent
  return origin !== null && isOwnOrigin(origin, publicUrl) && new URL(origin).host !== host.toLowerCase()
}
