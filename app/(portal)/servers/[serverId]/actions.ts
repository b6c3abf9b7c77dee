'use server'

import { servers } from '@/lib/contract/operations/servers'
import { portalAction } from '@/lib/portal/action'

export const installServer = portalAction(servers.install)

/** Takes `name`, `dns` or both. */
export const updateServer = portalAction(servers.update)

export const deleteServer = portalAction(servers.delete)
