/** The address of a new connection, from a form or a file. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { type BaseUrl, requireBaseUrl } from '@/lib/portal/upstream/address'
import { getSettings } from '@/lib/settings/settings'

/** Refused at the field `address`. */
export async function readAddress(typed: string): Promise<BaseUrl | Problem> {
  const base = await requireBaseUrl(typed)
  if ('code' in base) return problem('address_refused', { fields: { address: base.sentence } })
  if (!isBundledService(base)) return base
  const advice =
    'This is the address of the bundled service, which is connected for the whole team already. Enter the address of another service.'
  return problem('address_refused', { fields: { address: advice } })
}

/** A second connection to the bundled service by its address would list the same servers twice. */
function isBundledService({ origin }: BaseUrl): boolean {
  const { servicePort, upstreamUrl } = getSettings()
  const { hostname, port } = new URL(origin)
  return !upstreamUrl && port === String(servicePort) && /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}
