/** The logs of sites on a real server. */
import { lastPart, maxLogBytes } from '@/lib/service/machines/logs'
import type { SiteLog, SiteOnHost } from '@/lib/service/machines/sites'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireRead } from '../logs'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { requireThere } from './names'

const script = readScript('sites/log.bash')

export async function readSiteLog(connections: Connections, host: HostAddress, { id, name }: SiteOnHost, log: SiteLog): Promise<string> {
  const result = await connections.read(host, { script, values: [id, name, log, String(maxLogBytes)] })
  return lastPart(requireDone(requireRead(requireThere(result), log), 'read the log').stdout)
}
