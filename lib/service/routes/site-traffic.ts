/** The requests that a site got within a day. */
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { onHost } from '../store/sites'
import { type Call, requireSite } from './call'

export async function readTraffic(call: Call<typeof sites.traffic>): Promise<Answer<typeof sites.traffic>> {
  const { service } = call
  const site = await requireSite(call)
  if (site.state === 'creating')
    throw new Refused(problem('busy', { sentence: 'The site is still being created. Its requests are counted after that.' }))
  const found = await service.traffic.read(site.id, () => service.fleet.machine(site.machine).sites.traffic(onHost(site)))
  const { from, hours, whole, answer } = found
  const named = hours.map((hour) => ({ requests: hour.requests, client_errors: hour.clientErrors, server_errors: hour.serverErrors }))
  const now = answer && { status: answer.status, first_byte_ms: answer.firstByteMs }
  return { item: [{ from: new Date(from * 1000).toISOString(), hours: named, whole, ...now }] }
}
