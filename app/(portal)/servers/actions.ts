'use server'

import { servers } from '@/lib/contract/operations/servers'
import { problem } from '@/lib/contract/problem'
import { portalAction } from '@/lib/portal/entry/action'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { createSandboxServers } from '@/lib/portal/subjects/sandbox/create-servers'

/** With host_key `ask` nothing logs in and nothing is stored: the answer is the host key on show. */
export const askHostKey = portalAction(servers.create)

export const createServer = portalAction(servers.create)

export const createSandbox = ownAction('sandbox.dozen', async ({ actor, field }) => {
  const connectionId = field('connectionId')
  return connectionId ? createSandboxServers(actor, connectionId) : { ok: false, problem: problem('invalid') }
})
