/** A service over HTTP that knows a lab host, for the conformance of the interface. */
import { expect } from 'vitest'
import type { OpenOptions } from '@/lib/service/open'
import { register } from '../../service/conformance/servers'
import { openTestService } from '../../service/support/service'
import type { AdmittedHost } from '../reach'

/** An installed lab host, as a service over HTTP knows it. */
export async function openHttpService({ host, reach }: AdmittedHost, options: Partial<OpenOptions> = {}) {
  const service = await openTestService(options)
  const { id } = await register(
    service,
    { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login, user: reach.user },
    'sites',
  )
  // Finds everything done, and says so.
  const installed = await fetch(`${service.baseUrl}/servers/${id}/install`, { headers: { authorization: `Bearer ${service.key}` } })
  expect(await installed.text()).toContain('The server is ready.')
  return { ...service, id }
}
