/** Asks a listed server for its present host key. */
import 'server-only'
import { servers } from '@/lib/contract/operations/servers'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { runOperation } from '../spine'

/**
 * The action that asks, through the operation that replaces the SSH key: with `host_key` set to `ask` it neither logs in nor changes
 * anything. Reads `serverId`. The result is always a problem: `host_key_unconfirmed` with the present key, `not_built` from a service
 * without this feature, or the reason why the server cannot be asked.
 */
export const askHostKeyAction = () =>
  ownAction('servers.askHostKey', async ({ actor, field }) =>
    runOperation(actor, servers.resetKey, { serverId: field('serverId') }, { user: '', pass: '', host_key: 'ask' }),
  )
