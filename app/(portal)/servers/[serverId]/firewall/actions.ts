'use server'

import { removeRulesAction, saveRuleAction, toggleAction } from '@/lib/portal/subjects/firewall/action'

/** Takes `status`: 1 or 0. */
export const toggleFirewall = toggleAction()

export const saveFirewallRule = saveRuleAction()

export const deleteFirewallRule = removeRulesAction()
