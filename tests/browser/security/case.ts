/** One action with its fields, and who may do it. */
import type { Role } from '@/lib/portal/identity/actor'
import type { Estate, Person } from './estate'

export type Fields = Record<string, string>

export type Case = {
  /** The least role that may do it. */
  from: Role
  /** The fields with which a member who may do it succeeds; creates what the action needs. */
  fields: (estate: Estate, person: Person) => Promise<Fields> | Fields
  /** The code of that success; `ok` if absent. `redirect` for actions that only redirect. */
  code?: string
  /** The code for a guest without access, who has nothing to be sent. */
  guestCode?: string
  /** It changes the server of the site that the fields name. */
  ofServer?: true
  /** No service takes part. */
  alone?: true
}
