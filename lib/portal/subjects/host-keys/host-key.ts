/** Asking a server that is in the list for the host key it shows now. */
import 'server-only'
import { servers } from '@/lib/contract/operations/servers'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { runOperation } from '../spine'

/** The operation that would replace the key, with the field that makes it ask alone: nobody logs in and nothing is destroyed. */
const asking = { ...servers.resetKey, effect: 'change' } as const

/**
 * The action that asks. Reads `serverId`. It always answers a problem: `host_key_unconfirmed` with the key on show,
 * `not_built` from a service that cannot ask, or why the server cannot be asked.
 */
export const askHostKeyAction = () =>
  ownAction('servers.askHostKey', async ({ actor, field }) =>
    runOperation(actor, asking, { serverId: field('serverId') }, { user: '', pass: '', host_key: 'ask' }),
  )
