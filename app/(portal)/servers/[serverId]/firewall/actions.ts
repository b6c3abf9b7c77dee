'use server'

import { firewall } from '@/lib/contract/operations/firewall'
import { portalAction } from '@/lib/portal/action'
import { removeRulesAction } from '@/lib/portal/firewall/remove'

/** Takes `status`: 1 or 0. */
export const toggleFirewall = portalAction(firewall.toggle)

export const saveFirewallRule = portalAction(firewall.saveRule)

export const deleteFirewallRule = removeRulesAction()
