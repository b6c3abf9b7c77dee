'use server'

import { problem } from '@/lib/contract/problem'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { createSandboxServers } from '@/lib/portal/subjects/sandbox/create-servers'

export const createSandbox = ownAction('sandbox.dozen', async ({ actor, field }) => {
  const connectionId = field('connectionId')
  return connectionId ? createSandboxServers(actor, connectionId) : { ok: false, problem: problem('invalid') }
})
