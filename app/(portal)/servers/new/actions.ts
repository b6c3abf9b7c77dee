'use server'

import { servers } from '@/lib/contract/operations/servers'
import { portalAction } from '@/lib/portal/entry/action'

/** With host_key `ask` nothing logs in and nothing is stored: the answer is the host key on show. */
export const askHostKey = portalAction(servers.create)

export const createServer = portalAction(servers.create)
