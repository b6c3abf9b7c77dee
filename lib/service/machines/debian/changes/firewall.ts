/** Changes the firewall of a real server, and undoes a change that is not confirmed. */
import { readScript } from '../script'

const read = (...names: string[]) => readScript(import.meta.url, 'room.bash', 'replace-file.bash', 'firewall-guard.bash', ...names)

export const changeFirewallScript = read('../facts/read-firewall.bash', 'firewall.bash')
export const confirmFirewallScript = read('confirm-firewall.bash')
export const undoFirewallScript = read('undo-firewall.bash')

/**
 * Exit codes of the scripts: the rules have changed since they were read; another change waits to be confirmed or undone; UFW refused a
 * command; the change was already undone.
 */
export const said = { changed: 75, waiting: 77, refused: 65, undone: 76 } as const
