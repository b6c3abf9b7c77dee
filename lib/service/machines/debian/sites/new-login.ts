/** Jobs that change the firewall wait for a new login of Gatehouse, which proves that the server still admits it. */
import type { SiteJobLine } from '@/lib/service/machines/sites'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { confirmFirewallScript } from '../changes/firewall'

/** What mail-ports.bash says then. */
const asksForLogin = 'Waiting until Gatehouse has logged in with the new rules.'
const newLoginMs = 10_000

/** Passes the lines of a job on. Without a login, the server takes its change back by itself, and the job says so. */
export async function* withNewLogins(
  lines: AsyncIterable<SiteJobLine>,
  connections: Connections,
  host: HostAddress,
): AsyncGenerator<SiteJobLine> {
  for await (const line of lines) {
    yield line
    if (line.status === 'running' && line.message === asksForLogin) {
      await connections.onNewConnection(host, { script: confirmFirewallScript }, newLoginMs).catch(() => {})
    }
  }
}
