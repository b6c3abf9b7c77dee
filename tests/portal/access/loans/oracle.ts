/** Who may use which connection, decided by walking through all loans for every question, without the compiler. */
import type { Need, Place } from '@/lib/portal/access/grants/grant'
import type { Loan } from '@/lib/portal/access/loans/loan'
import { type Case, oracleAllows, oracleSees } from '../grants/oracle'

export type Key = { id: string; ownerId: string | null }

/** need null: for anything. A loan to the whole team counts as one to whoever asks. */
export function oracleLends(
  given: Case,
  loans: readonly Loan[],
  key: Key,
  place: Place,
  need: Need | null,
  needs: readonly Need[],
): boolean {
  const { grantee } = given
  if (key.ownerId === null) return true
  if (grantee.userId === null) return false
  if (key.ownerId === grantee.userId) return true
  for (const loan of loans) {
    if (loan.connectionId !== key.id) continue
    const team = loan.userId === null && loan.role === null
    const alone: Case = { ...given, grants: [team ? { ...loan, userId: grantee.userId } : loan] }
    if (need === null ? oracleSees(alone, needs, place) : oracleAllows(alone, need, place)) return true
  }
  return false
}
