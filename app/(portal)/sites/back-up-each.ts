'use client'

import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { callAction, formatReason } from '../../_shared/call-action'
import { operationRead } from '../../_shared/read-address'
import { isSignedOut } from '../../_shared/session/sign-in-request'
import { countOf, formatCount } from '../../_ui/count'
import { createBackup } from './actions'

/** What came: how many sites have a new backup, which have none and why (a sentence), and how many were not started. */
export type BackedUp = { made: number; failed: readonly { domain: string; reason: string }[]; left: number }

/**
 * Backs up one site after another, because a server works on one at a time. A failure does not prevent the others; `signal` and the end of the
 * session do. onEnded gets the number of backups that are over.
 */
export async function backUpEach(
  sites: readonly Pick<ListedSite, 'id' | 'domain'>[],
  signal: AbortSignal,
  onEnded: (count: number) => void,
): Promise<BackedUp> {
  const failed: { domain: string; reason: string }[] = []
  for (const [at, { id: siteId, domain }] of sites.entries()) {
    const outcome = (ended: number): BackedUp => ({ made: ended - failed.length, failed, left: sites.length - ended })
    if (signal.aborted) return outcome(at)
    const answer = await callAction(createBackup, { siteId }, { toEnd: true, refetch: [operationRead('backups.list', { siteId })] })
    if (!answer.ok) failed.push({ domain, reason: formatReason(answer.problem) })
    onEnded(at + 1)
    if (isSignedOut(answer)) return outcome(at + 1)
  }
  return { made: sites.length - failed.length, failed, left: 0 }
}

// So many reasons fit into a toast.
const shownReasons = 3

/** A message for a toast. */
export function formatBackedUp({ made, failed, left }: BackedUp): string {
  const all = made + failed.length + left
  const lines = failed.slice(0, shownReasons).map(({ domain, reason }) => `${toReadableDomain(domain)}: ${reason}`)
  const more = failed.length - lines.length
  const done = made === all ? countOf(all, 'site') : `${formatCount(made)} of ${countOf(all, 'site')}`
  return [
    `${done} ${made === 1 ? 'was' : 'were'} backed up.`,
    ...lines,
    ...(more > 0 ? [`${formatCount(more)} more failed.`] : []),
    ...(left > 0 ? [`${countOf(left, 'backup')} ${left === 1 ? 'was' : 'were'} not started.`] : []),
  ].join(' ')
}
