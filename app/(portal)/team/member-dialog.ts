import type { MemberView } from '@/lib/portal/subjects/team/members'
import type { OfferedRole } from './role-field'

/** What every dialog about a member gets. */
export type MemberDialogProps = {
  member: MemberView
  roles: readonly OfferedRole[]
  onClose: () => void
  /** Refreshes the page, and closes. */
  onDone: () => void
}
