/** Changing the firewall of a real machine, and what undoes a change that nobody confirms. */
import { readScript } from '../script'

const read = (...names: string[]) => readScript(import.meta.url, 'room.bash', 'replace-file.bash', 'firewall-guard.bash', ...names)

export const changeFirewallScript = read('../facts/read-firewall.bash', 'firewall.bash')
export const confirmFirewallScript = read('confirm-firewall.bash')
export const undoFirewallScript = read('undo-firewall.bash')

/** What the scripts end with: other rules were there; another change waits to be undone; UFW did not take a step; it had been undone by then. */
export const said = { changed: 75, waiting: 77, refused: 65, undone: 76 } as const
