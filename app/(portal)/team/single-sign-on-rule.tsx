'use client'

import type { SingleSignOnRule as Rule } from '@/lib/portal/subjects/team/require-single-sign-on'
import { requireSingleSignOn } from './actions'
import { RuleRow } from './rule-row'

/** Whether members have to use single sign-on. */
export function SingleSignOnRule({ rule, mayChange }: { rule: Rule; mayChange: boolean }) {
  const { provider, unprotected } = rule
  return (
    <RuleRow
      title="Require single sign-on"
      description={
        <>
          Members sign in with {provider} only; their other sessions end. Owners can still use their password and second factor.
          {unprotected.length > 0
            ? ` Owners without a second factor: ${unprotected.join(', ')}. They set one up at their next sign-in.`
            : ''}
        </>
      }
      rule={rule}
      action={mayChange ? requireSingleSignOn : null}
    />
  )
}
