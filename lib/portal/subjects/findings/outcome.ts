/** What findings add to outcomes: every answer about a server reveals something about it. */
import 'server-only'
import type { OutcomeHooks } from '@/lib/portal/spine/hooks'
import { noteCheck } from './note'

export const findingsHooks = {
  each: async ({ decision: { server }, ...sent }) => {
    if (server) await noteCheck(server, sent)
  },
} satisfies OutcomeHooks
