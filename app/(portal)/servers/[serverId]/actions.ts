'use server'

import type { Operation } from '@/lib/contract/operation'
import { servers } from '@/lib/contract/operations/servers'
import { services } from '@/lib/contract/operations/services'
import { portalAction, portalActionAmong } from '@/lib/portal/entry/action'
import { askHostKeyAction } from '@/lib/portal/subjects/host-keys/host-key'
import { refuseOverwrite } from '@/lib/portal/subjects/overwrite/refuse-overwrite'

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
