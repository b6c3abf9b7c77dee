/** The summary of a real host against the facts that Ansible gathers of the same host. */
import { setTimeout as delay } from 'node:timers/promises'
import { get } from '../service/support/caller'
import { ansibleMissing, openCompared, timeMs } from './ansible'
import { median } from './figure'
import type { Section } from './report'

const title = 'Summary of a real host'

// The service shares an answer for five seconds, so each measured request waits longer than that.
const sharedMs = 5_500

export async function measureSummary(): Promise<Section> {
  const leftOut = ansibleMissing()
  if (leftOut !== null) return { title, how: '', figures: [], leftOut }
  await using compared = await openCompared()
  const { service, id, ansible } = compared
  const ours: number[] = []
  const theirs: number[] = []
  for (let run = 0; run < 6; run += 1) {
    await delay(sharedMs)
    ours.push(await timeMs(() => get(service, `/servers/${id}/summary`)))
    theirs.push(await timeMs(() => ansible('setup')))
  }
  return {
    title,
    how: 'The service over its open SSH connection against `ansible -m setup` over its own, alternating; medians.',
    figures: [
      { what: 'summary', value: median(ours), unit: 'ms' },
      { what: 'ansible -m setup', value: median(theirs), unit: 'ms' },
      { what: 'faster by', value: median(theirs) / median(ours), unit: 'times', target: 10, floor: 10, more: true },
    ],
  }
}
