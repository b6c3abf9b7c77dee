/** The state of all backups in one line, whose parts filter the list. Counted from the values of its filters. */

import type { FacetCounts } from '@/app/_shared/collection/query'
import { countOf, formatCount } from '../../_ui/count'
import { type BackupQuery, backupQuery } from './backup-line-columns'
import type { BackupState } from './backup-state'

/** isGood: whether it needs no attention. */
export type SentencePart = { text: string; query: BackupQuery; isGood: boolean }

const countOfValue = (counts: FacetCounts, facet: string, value: string): number =>
  counts[facet]?.find((each) => each.value === value)?.count ?? 0

/** all: how many sites and servers are listed, with deleted ones. Empty without any. */
export function describeBackups(counts: FacetCounts, all: number): SentencePart[] {
  const inState = (state: BackupState) => countOfValue(counts, 'state', state)
  const known = all - inState('gone') - inState('unknown')
  const recent = countOfValue(counts, 'backup', 'night')
  const hasServers = countOfValue(counts, 'of', 'server') > 0
  const several = (count: number, which = '') =>
    hasServers ? `${formatCount(count)} ${which}${count === 1 ? 'site or server' : 'sites and servers'}` : countOf(count, `${which}site`)
  const some = several(known)
  const share = recent === known ? some : `${formatCount(recent)} of ${some}`
  const have = recent === 1 && known === 1 ? 'has' : 'have'
  const first = {
    text: `${share} ${have} a good backup of the last 26 hours`,
    query: { ...backupQuery.whole, backup: ['night'] },
    // The parts that follow say what is missing.
    isGood: true,
  }
  const part = (state: BackupState, format: (count: number) => string, isGood = false): SentencePart[] => {
    const count = inState(state)
    return count === 0 ? [] : [{ text: format(count), query: { ...backupQuery.whole, state: [state] }, isGood }]
  }
  return [
    ...(known > 0 ? [first] : []),
    ...part('none', (count) => `${formatCount(count)} never backed up`),
    ...part('failed', (count) => `${formatCount(count)} failed`),
    ...part('bad', (count) => `${formatCount(count)} with a bad copy`),
    ...part('late', (count) => `${formatCount(count)} ${count === 1 ? 'is' : 'are'} late`),
    ...part('unknown', (count) => `${formatCount(count)} unknown`, true),
    ...part('copy', (count) => `${formatCount(count)} could not be copied`),
    ...part('here', (count) => `${formatCount(count)} without a copy elsewhere`, true),
    ...part('kit', (count) => `${formatCount(count)} without a confirmed recovery kit`),
    ...part('gone', (count) => `copies of ${several(count, 'deleted ')}`, true),
  ]
}
