/** The firewall of a real machine. */
import { type Changed, createFirewall } from '@/lib/service/machines/firewall'
import type { Firewall } from '@/lib/service/machines/machine'
import { argumentsOf } from '@/lib/service/machines/ufw'
import type { Connections } from '@/lib/service/ssh/connections'
import type { Reach } from '@/lib/service/ssh/reach'
import { changeFirewallScript, confirmFirewallScript, said, undoFirewallScript } from './changes/firewall'
import { firewallScript, noUfw, parseUfwState, renderRules } from './facts/firewall'
import { requireDone } from './require-done'

/** A host that was cut off answers nothing; one that answers may take its time over the login. Both are less than confirmSeconds. */
const reachPatienceMs = 4_000

/** confirmSeconds: how long the machine waits before it undoes a change by itself. */
export function createDebianFirewall(connections: Connections, reach: Reach, confirmSeconds: number): Firewall {
  const confirm = async (): Promise<Changed> => {
    const confirmed = await connections.afresh(reach, { script: confirmFirewallScript }, reachPatienceMs).catch(() => null)
    if (confirmed?.code === 0) return { kind: 'done' }
    if (confirmed?.code === said.undone) return { kind: 'cut_off', undone: true }
    // The connection that made the change is let through as long as it lasts.
    const undone = await connections.change(reach, { script: undoFirewallScript }).catch(() => null)
    return { kind: 'cut_off', undone: undone?.code === 0 }
  }
  return createFirewall({
    async read() {
      const ran = await connections.read(reach, { script: firewallScript })
      return ran.code === noUfw ? null : parseUfwState(requireDone(ran, 'tell about its firewall').stdout)
    },
    async change(state, { steps, removed, guarded }) {
      const words = steps.map(argumentsOf).flatMap((step) => [String(step.length), ...step])
      const values = [renderRules(state), removed, guarded ? String(confirmSeconds) : '0', ...words]
      const ran = await connections.change(reach, { script: changeFirewallScript, values })
      if (ran.code === said.changed) return { kind: 'changed' }
      if (ran.code === said.waiting) return { kind: 'waiting' }
      if (ran.code === said.refused) return { kind: 'refused' }
      requireDone(ran, 'change its firewall')
      return guarded ? confirm() : { kind: 'done' }
    },
  })
}
