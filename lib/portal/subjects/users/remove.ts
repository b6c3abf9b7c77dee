/** Deleting a system user: what is typed to confirm it is the user's name, not the server's. */
import 'server-only'
import { users } from '@/lib/contract/operations/users'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { isTypedName, showBidiControls } from '@/lib/text/bidi'
import { findServer } from '../servers/find'
import { runOperation } from '../spine'

/** `typed`: the user's name once more, by hand. What holds for every operation on the server is decided as ever. */
export async function removeUser(
  actor: Actor,
  serverId: string,
  { user, typed, requestId }: { user: string; typed: string; requestId?: string },
): Promise<Outcome<object>> {
  if (user === '' || !isTypedName(typed, user)) {
    return { ok: false, problem: problem('invalid', { fields: { confirmName: `Type the name “${showBidiControls(user)}” to confirm.` } }) }
  }
  // The spine asks for the name of the server for whatever destroys: of the two names this is the one nobody types.
  const server = await findServer(actor, serverId)
  const options = { confirmName: server?.name ?? '', ...(requestId !== undefined && { requestId }) }
  const deleted = await runOperation(actor, users.delete, { serverId }, { user }, options)
  return deleted.ok ? { ok: true, data: {} } : deleted
}

/** The action of it. Reads `serverId`, `user` and `confirmName`. */
export const removeUserAction = () =>
  ownAction('users.delete', async ({ actor, requestId, field }) =>
    removeUser(actor, field('serverId'), { user: field('user'), typed: field('confirmName'), requestId }),
  )
