'use server'

import type { Operation } from '@/lib/contract/operation'
import { mail } from '@/lib/contract/operations/mail'
import { servers } from '@/lib/contract/operations/servers'
import { services } from '@/lib/contract/operations/services'
import { users } from '@/lib/contract/operations/users'
import { portalAction, portalActionAmong } from '@/lib/portal/entry/action'
import { deleteCountedAction } from '@/lib/portal/subjects/counted/delete-counted'
import { removeJobAction, replaceJobAction, saveJobAction } from '@/lib/portal/subjects/cron/action'
import { removeRulesAction, saveRuleAction, toggleAction } from '@/lib/portal/subjects/firewall/action'
import { askHostKeyAction } from '@/lib/portal/subjects/host-keys/host-key'
import { refuseOverwrite } from '@/lib/portal/subjects/overwrite/refuse-overwrite'

export const saveCronJob = saveJobAction()

export const replaceCronJob = replaceJobAction()

export const deleteCronJob = removeJobAction()

/** Takes `status`: 1 or 0. */
export const toggleFirewall = toggleAction()

export const saveFirewallRule = saveRuleAction()

export const deleteFirewallRule = removeRulesAction()

export const deleteMessages = deleteCountedAction(mail.delete)

export const saveSystemUser = portalAction(users.save)

export const deleteSystemUser = portalAction(users.delete)

export const installServer = portalAction(servers.install)

/** Takes `name`, `dns` or both, and as `opened.name` and `opened.dns` what the form was opened with. */
export const updateServer = portalAction(servers.update, refuseOverwrite)

/** Takes `hostname`, and as `opened.hostname` what the form was opened with. */
export const setHostname = portalAction(servers.setHostname, refuseOverwrite)

/** Nothing logs in: the result is the host key on show. */
export const askHostKeyAgain = askHostKeyAction()

export const resetKey = portalAction(servers.resetKey)

/** Takes `unit`, as services.list returns it. */
export const restartService = portalAction(services.restart)

export const deleteServer = portalAction(servers.delete)

const confirmed = Object.values<Operation>(servers).filter(({ confirm, freshSignIn }) => confirm === 'name' && !freshSignIn)

/** Takes `operation`: the id of one that requires only a typed name. */
export const runConfirmed = portalActionAmong('servers.confirmed', confirmed)
