/** Names the actor of an audit log entry. */
import 'server-only'

const strangers: Readonly<Record<string, string>> = {
  gatehouse: 'Gatehouse',
  server: 'The server',
  nobody: 'Anonymous',
  operator: 'Server administrator',
}

/** name: the user's; null if it was not a user, or they are none any more. */
export const formatWho = (name: string | null, actorKind: string): string => name ?? strangers[actorKind] ?? 'A former member'
