import type { LoanView } from '@/lib/portal/subjects/lending/view'

/** "Ana", "Everyone with the role Operator", "The whole team". */
export function nameOfBorrower({ to }: Pick<LoanView, 'to'>): string {
  if (to.kind === 'team') return 'The whole team'
  return to.kind === 'member' ? to.name : `Everyone with the role ${to.role.charAt(0).toUpperCase()}${to.role.slice(1)}`
}
