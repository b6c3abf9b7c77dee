/** Derives findings from outcomes: every answer about a server shows something about its state. */
import 'server-only'
import type { OutcomeHooks } from '@/lib/portal/spine/hooks'
import { noteCheck } from './note'

export const findingsHooks = {
  each: async ({ decision: { server, connection }, ...sent }) => {
    if (server) await noteCheck(server, { connectionId: connection.id, ...sent })
  },
} satisfies OutcomeHooks
