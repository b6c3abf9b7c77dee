/** Asks a listed server for the host key it shows now. */
import 'server-only'
import { servers } from '@/lib/contract/operations/servers'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { runOperation } from '../spine'

/**
 * The action that asks, through the operation that would replace the key: with `host_key` set to `ask` nothing logs in and nothing is
 * destroyed. Reads `serverId`. The result is always a problem: `host_key_unconfirmed` with the key on show, `not_built` from a service
 * that cannot ask, or the reason why the server cannot be asked.
 */
export const askHostKeyAction = () =>
  ownAction('servers.askHostKey', async ({ actor, field }) =>
    runOperation(actor, servers.resetKey, { serverId: field('serverId') }, { user: '', pass: '', host_key: 'ask' }),
  )
