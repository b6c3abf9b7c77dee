import { ProgressBar } from '@/app/_ui/meter'
import { Card, Section } from '@/app/_ui/section'
import type { BatchSummary } from '@/lib/portal/batches/view'
import { Link } from '../../_ui/page-link'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import { describeCounts, endedOf, stateOfBatch, targetsOf } from './batch-words'

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
