'use client'

import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { callAction, formatReason } from '../../_shared/call-action'
import { operationRead } from '../../_shared/read-address'
import { isSignedOut } from '../../_shared/session/sign-in-request'
import { countOf, formatCount } from '../../_ui/count'
import { createBackup } from './actions'

/** A site without a new backup. reason: a sentence. */
export type NotBackedUp = { domain: string; reason: string }

/**
 * Backs up one site after another, because a server works on one at a time. One that fails does not prevent the others. onEnded gets how
 * many are over.
 */
export async function backUpEach(
  sites: readonly Pick<ListedSite, 'id' | 'domain'>[],
  onEnded: (count: number) => void,
): Promise<readonly NotBackedUp[]> {
  const failed: NotBackedUp[] = []
  for (const [at, { id: siteId, domain }] of sites.entries()) {
    const answer = await callAction(createBackup, { siteId }, { toEnd: true, refetch: [operationRead('backups.list', { siteId })] })
    if (!answer.ok) failed.push({ domain, reason: formatReason(answer.problem) })
    // Nobody is there to enter the password for each of the others.
    if (isSignedOut(answer)) return [...failed, ...sites.slice(at + 1).map((left) => ({ domain: left.domain, reason: notTried }))]
    onEnded(at + 1)
  }
  return failed
}

const notTried = 'Not tried.'

// So many reasons fit into a toast.
const shownReasons = 3

export function formatFailures(failed: readonly NotBackedUp[], of: number): string {
  const lines = failed.slice(0, shownReasons).map(({ domain, reason }) => `${toReadableDomain(domain)}: ${reason}`)
  const more = failed.length - lines.length
  const head =
    of === 1 ? 'The site could not be backed up.' : `${formatCount(failed.length)} of ${countOf(of, 'site')} could not be backed up.`
  return [head, ...lines, ...(more > 0 ? [`And ${formatCount(more)} more.`] : [])].join(' ')
}
