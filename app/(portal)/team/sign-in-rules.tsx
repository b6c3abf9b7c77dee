'use client'

import type { SignInRule } from '@/lib/portal/subjects/team/sign-in-rules'
import { requireSecondFactor } from './actions'
import { RuleRow } from './rule-row'

export const SecondFactorRule = ({ rule, mayChange }: { rule: SignInRule; mayChange: boolean }) => (
  <RuleRow
    title="Require a second factor"
    description="Members without one set it up at their next sign-in. Open sessions stay signed in."
    rule={rule}
    action={mayChange ? requireSecondFactor : null}
  />
)
