/** The firewall of a real server. */
import { type Changed, createFirewall } from '@/lib/service/machines/firewall'
import type { Firewall } from '@/lib/service/machines/machine'
import { argumentsOf } from '@/lib/service/machines/ufw'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { changeFirewallScript, confirmFirewallScript, said, undoFirewallScript } from './changes/firewall'
import { firewallScript, noUfw, parseUfwState, renderRules } from './facts/firewall'
import { requireDone } from './require-done'

/** A server that locks Gatehouse out does not answer; a slow one needs time for the login. Both limits are shorter than confirmSeconds. */
const reachPatienceMs = 4_000

/** confirmSeconds: how long the server waits before it undoes a change automatically. */
export function createDebianFirewall(connections: Connections, host: HostAddress, confirmSeconds: number): Firewall {
  const confirm = async (): Promise<Changed> => {
    const confirmed = await connections.onNewConnection(host, { script: confirmFirewallScript }, reachPatienceMs).catch(() => null)
    if (confirmed?.code === 0) return { kind: 'done' }
    if (confirmed?.code === said.undone) return { kind: 'cut_off', undone: true }
    // An established connection survives the change that would refuse a new one.
    const undone = await connections.change(host, { script: undoFirewallScript }).catch(() => null)
    return { kind: 'cut_off', undone: undone?.code === 0 }
  }
  return createFirewall({
    async read() {
      const result = await connections.read(host, { script: firewallScript })
      return result.code === noUfw ? null : parseUfwState(requireDone(result, 'read its firewall').stdout)
    },
    async change(state, { steps, removed, guarded }) {
      const words = steps.map(argumentsOf).flatMap((step) => [String(step.length), ...step])
      const values = [renderRules(state), removed, guarded ? String(confirmSeconds) : '0', ...words]
      const result = await connections.change(host, { script: changeFirewallScript, values })
      if (result.code === said.changed) return { kind: 'changed' }
      if (result.code === said.waiting) return { kind: 'waiting' }
      if (result.code === said.refused) return { kind: 'refused' }
      requireDone(result, 'change its firewall')
      return guarded ? confirm() : { kind: 'done' }
    },
  })
}
