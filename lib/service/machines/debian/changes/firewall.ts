/** Changes the firewall of a real server, and undoes a change that is not confirmed. */
import { readScript } from '../script'

export const changeFirewallScript = readScript('changes/firewall.bash')
export const confirmFirewallScript = readScript('changes/confirm-firewall.bash')
export const undoFirewallScript = readScript('changes/undo-firewall.bash')

/**
 * Exit codes of the scripts: the rules have changed since they were read; another change waits to be confirmed or undone; UFW refused a
 * command; the change was already undone.
 */
export const said = { changed: 75, waiting: 77, refused: 65, undone: 76 } as const
