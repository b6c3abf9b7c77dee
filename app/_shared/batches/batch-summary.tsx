/** Batches and their targets in words, and a list of batches. */

import { ProgressBar } from '@/app/_ui/meter'
import { Card, Section } from '@/app/_ui/section'
import type { BatchMode, BatchSummary, BatchTargetState } from '@/lib/portal/batches/view'
import { toReadableDomain } from '@/lib/text/idn'
import { countOf, formatCount } from '../../_ui/count'
import { Link } from '../../_ui/page-link'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip, type Tone } from '../../_ui/state-chip'

export const targetStates: Record<BatchTargetState, { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  done: { label: 'Done', tone: 'done' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  unknown: { label: 'Outcome unknown', tone: 'warn' },
  skipped: { label: 'Not started', tone: 'neutral' },
}

/** Sites and aliases are domains, which servers and addresses are not. noun: what is counted. */
export const formatTargetName = (noun: string, name: string): string =>
  noun === 'server' || noun === 'address' ? name : toReadableDomain(name)

export const modeChoices = (noun: string): readonly (readonly [mode: BatchMode, label: string])[] => [
  ['goOn', `Continue with the other ${noun}s`],
  ['stopAtFailure', 'Start no more'],
  ['firstAlone', `Try the first ${noun} alone, then continue`],
]

const modes: Record<BatchMode, string> = {
  goOn: 'also after a failure',
  stopAtFailure: 'stops at the first failure',
  firstAlone: 'the first alone, then the others',
}

/** "Up to 4 servers at a time, stops at the first failure." */
export const describeMode = ({ mode, atOnce }: BatchSummary): string => `Up to ${countOf(atOnce, 'server')} at a time, ${modes[mode]}.`

export const targetsOf = ({ counts }: BatchSummary): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** How many have an outcome. */
export const endedOf = ({ counts }: BatchSummary): number => counts.done + counts.failed + counts.cancelled + counts.unknown

export function stateOfBatch(batch: BatchSummary): { label: string; tone: Tone; live: boolean } {
  const { counts, endedAt, stoppedAt } = batch
  if (endedAt === null) return { label: stoppedAt === null ? 'Running' : 'Stopping', tone: 'accent', live: true }
  if (counts.failed > 0) return { label: `${formatCount(counts.failed)} failed`, tone: 'danger', live: false }
  if (counts.unknown > 0) return { label: `${formatCount(counts.unknown)} unknown`, tone: 'warn', live: false }
  if (counts.skipped + counts.cancelled > 0) return { label: 'Stopped', tone: 'warn', live: false }
  return { label: 'Done', tone: 'done', live: false }
}

/** "3 of 5 done, 1 failed, 1 waiting." */
export function describeCounts(batch: BatchSummary): string {
  const { counts } = batch
  const words = {
    failed: 'failed',
    unknown: 'unknown',
    cancelled: 'cancelled',
    running: 'running',
    waiting: 'waiting',
    skipped: 'not started',
  }
  const parts = Object.entries(words).flatMap(([state, word]) => {
    const count = counts[state as BatchTargetState]
    return count === 0 ? [] : [`${formatCount(count)} ${word}`]
  })
  return `${[`${formatCount(counts.done)} of ${formatCount(targetsOf(batch))} done`, ...parts].join(', ')}.`
}

const link =
  'font-semibold break-words after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus'

/** Batches as a list, each with its progress while it runs. */
export function BatchRows({ title, batches }: { title: string; batches: readonly BatchSummary[] }) {
  if (batches.length === 0) return null
  return (
    <Section title={title} aside={<span className="text-small text-muted">{batches.length}</span>}>
      <Card className="overflow-hidden">
        <ul className="divide-y divide-line">
          {batches.map((batch) => (
            <li key={batch.id} className="relative flex flex-col gap-2 px-4 py-3 hover:bg-selected has-focus-visible:bg-selected">
              <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
                <span className="sm:min-w-24">
                  <StateChip {...stateOfBatch(batch)} />
                </span>
                <Link href={`/jobs/batches/${batch.id}`} className={link}>
                  {batch.title}
                </Link>
                <span className="text-small text-muted">{describeCounts(batch)}</span>
                <span className="ml-auto text-small text-muted">
                  {batch.startedBy || 'A former member'}, <RelativeTime at={batch.endedAt ?? batch.startedAt} />
                </span>
              </div>
              {batch.endedAt === null ? (
                <ProgressBar percent={(100 * endedOf(batch)) / targetsOf(batch)} label={`Progress of ${batch.title}`} />
              ) : null}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
