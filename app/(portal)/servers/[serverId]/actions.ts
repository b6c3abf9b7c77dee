'use server'

import { servers } from '@/lib/contract/operations/servers'
import { portalAction } from '@/lib/portal/action'

export const installServer = portalAction(servers.install)

export const deleteServer = portalAction(servers.delete)
