/** A loan: a member's own connection that others may use, as far as their access includes it. docs/decisions/071-loans.md */
import type { Grant } from '../grants/grant'

/** What it has in common with a grant means the same. userId and role null: for the whole team. ownerId: whose connection it is. */
export type Loan = Grant & { connectionId: string; ownerId: string }
