'use client'

import type { SingleSignOnRule as Rule } from '@/lib/portal/subjects/team/require-single-sign-on'
import type { SignInRule } from '@/lib/portal/subjects/team/sign-in-rules'
import { requireSecondFactor, requireSingleSignOn } from './actions'
import { RuleRow } from './rule-row'

export const SecondFactorRule = ({ rule, mayChange }: { rule: SignInRule; mayChange: boolean }) => (
  <RuleRow
    title="Require a second factor"
    description="Members without one set it up at their next sign-in. Open sessions stay signed in."
    rule={rule}
    action={mayChange ? requireSecondFactor : null}
  />
)

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
