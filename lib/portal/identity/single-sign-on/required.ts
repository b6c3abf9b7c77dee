/** Whether a member has to sign in by single sign-on. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import type { Role } from '@/prisma/generated/portal/client'

/** Owners are exempt: password and second factor are the way back if the provider fails. */
export const requiresSingleSignOn = ({ role, team }: { role: Role; team: { requiresSingleSignOn: boolean } }): boolean =>
  team.requiresSingleSignOn && role !== 'owner'

/** The reason in the audit log for a sign-in that is refused because of it. */
export const barredReason = 'single sign-on is required'

/** The refusal of every other way in. */
export const singleSignOnOnly = (): Problem =>
  problem('forbidden', { sentence: 'Your team requires single sign-on. Use the single sign-on button to sign in.' })
