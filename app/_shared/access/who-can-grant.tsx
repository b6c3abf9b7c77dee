import type { Actor } from '@/lib/portal/identity/actor'
import { listGranters } from '@/lib/portal/subjects/team/access/granters'

type WhoCanGrantProps = {
  actor: Actor
  /** What is said where the role does not allow it, so that no access would help. */
  otherwise: string
}

const most = 3

/** Said where a right is missing: "Ada Byron or Mira Lindqvist can give you access." */
export async function WhoCanGrant({ actor, otherwise }: WhoCanGrantProps) {
  const names = await listGranters(actor)
  if (names.length === 0) return otherwise
  const said = names.length > most ? [...names.slice(0, most), 'another owner or admin'] : names
  return `${said.length === 1 ? said[0] : `${said.slice(0, -1).join(', ')} or ${said.at(-1)}`} can give you access.`
}
