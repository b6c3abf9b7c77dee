/** What a person's page reads of a server is as good as a look of the portal's own, and spares one. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import { getSettings } from '@/lib/settings/settings'
import { sampleOf } from './sample'
import { findLookedAt, gather, isGathering } from './store'

/** Kept where the last look was half a round ago or longer: pages ask every 30 s. Nothing is written here. */
export function noteSummary(operation: Operation, serverId: string, outcome: Outcome<unknown>, now = Date.now()): void {
  const { sampleEveryMs } = getSettings()
  if (operation.id !== contract.servers.summary.id || !isGathering() || sampleEveryMs === null) return
  if (now - (findLookedAt(serverId) ?? 0) < sampleEveryMs / 2) return
  const answer = outcome.ok ? contract.servers.summary.answer.safeParse(outcome.data) : null
  if (answer && !answer.success) return
  const sample = sampleOf(serverId, answer ? { ok: true, data: answer.data } : (outcome as Outcome<never>), now)
  if (sample) gather(sample, now)
}
