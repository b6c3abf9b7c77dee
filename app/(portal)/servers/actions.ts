'use server'

import { problem } from '@/lib/contract/problem'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { labelsAction } from '@/lib/portal/subjects/labels/action'
import { makeSandboxDozen } from '@/lib/portal/subjects/sandbox/sandbox-dozen'

export const changeServerLabels = labelsAction('server')

export const makeSandboxServers = ownAction('sandbox.dozen', async ({ actor, field }) => {
  const connectionId = field('connectionId')
  return connectionId ? makeSandboxDozen(actor, connectionId) : { ok: false, problem: problem('invalid') }
})
