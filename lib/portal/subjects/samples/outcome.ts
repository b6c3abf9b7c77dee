/** A user's read of a server counts as a check by the sampler and replaces the next one. */
import 'server-only'
import type { OutcomeHooks } from '@/lib/portal/spine/hooks'
import { getSettings } from '@/lib/settings/settings'
import { sampleOf } from './sample'
import { findCheckedAt, gather, isGathering } from './store'

export const samplesHooks = {
  after: {
    'servers.summary': async ({ decision: { server }, outcome }) => {
      if (server) noteSummary(server.id, outcome, Date.now())
    },
  },
} satisfies OutcomeHooks

/** Kept only if the last check is at least half a round old, because pages read every 30 s. Only in memory; written later. */
function noteSummary(serverId: string, outcome: Parameters<typeof sampleOf>[1], now: number): void {
  const { sampleEveryMs } = getSettings()
  if (!isGathering() || sampleEveryMs === null) return
  if (now - (findCheckedAt(serverId) ?? 0) < sampleEveryMs / 2) return
  const sample = sampleOf(serverId, outcome, now)
  if (sample) gather(sample, now)
}
