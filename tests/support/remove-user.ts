/** Deleting a system user, as the page's form asks for it. */
import { users } from '@/lib/contract/operations/users'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '@/lib/portal/subjects/spine'

/** typed: the content of the confirmation field. */
export const removeUser = (actor: Actor, serverId: string, { user, typed }: { user: string; typed: string }) =>
  runOperation(actor, users.delete, { serverId }, { user }, { confirmName: typed })
