/** The requests of a site on a real server. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import { type SiteTraffic, type TrafficHour, trafficHours } from '@/lib/service/machines/traffic'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { requireThere } from './names'

const script = readScript('sites/traffic.bash')

/** Bytes of the log that are read: a busy day of a site, which takes about a second. */
const maxBytes = 64 * 1024 * 1024

export async function readTraffic(connections: Connections, host: HostAddress, { id, name, domain }: SiteOnHost): Promise<SiteTraffic> {
  const result = requireThere(await connections.read(host, { script, values: [id, name, domain, String(maxBytes)] }))
  return parseTraffic(requireDone(result, 'count the requests of the site').stdout)
}

/** Throws MachineFailure internal if the server printed something else. */
export function parseTraffic(printed: string): SiteTraffic {
  const lines = printed.split('\n').map((line) => line.split('\t'))
  const counts = (kind: string) =>
    lines.flatMap(([first, ...rest]) => (first === kind && rest.every((text) => /^\d{1,12}$/.test(text)) ? [rest.map(Number)] : []))
  const [from = 0] = counts('from')[0] ?? []
  const hours = counts('hour').map(
    ([requests = 0, clientErrors = 0, serverErrors = 0]): TrafficHour => ({ requests, clientErrors, serverErrors }),
  )
  if (hours.length !== trafficHours || from === 0) {
    throw new MachineFailure(problem('internal', { sentence: 'The server could not count the requests of the site.' }))
  }
  const [answer] = counts('answer')
  const [status = 0, firstByteMs = 0] = answer ?? []
  return { from, hours, whole: !lines.some(([kind]) => kind === 'cut'), answer: answer ? { status, firstByteMs } : null }
}
