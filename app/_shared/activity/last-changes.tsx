import { Link } from '@/app/_ui/page-link'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card, Section } from '@/app/_ui/section'
import { StateChip, type Tone } from '@/app/_ui/state-chip'
import { requireActor } from '@/lib/portal/identity/actor'
import { type LastChange, readLastChanges } from '@/lib/portal/views/activity/activity'
import { type Result, results } from '@/lib/portal/views/activity/words'

type LastChangesProps = { objectId: string }

const shown = 5

/** The last changes of a server or site and who made them, for readers who see them in Activity. */
export async function LastChanges({ objectId }: LastChangesProps) {
  const changes = await readLastChanges(await requireActor(), objectId, shown)
  if (changes.length === 0) return null
  const all = (
    <Link
      href={`/activity?object=${objectId}`}
      className="inline-flex min-h-6 items-center rounded-control text-small text-accent underline hover:text-accent-hover"
    >
      View activity
    </Link>
  )
  return (
    <Section title="Last changes" aside={all}>
      <Card>
        <ul className="divide-y divide-line">
          {changes.map((change) => (
            <ChangeLine key={change.seq} change={change} />
          ))}
        </ul>
      </Card>
    </Section>
  )
}

function ChangeLine({ change: { at, who, description, result, jobId } }: { change: LastChange }) {
  return (
    <li className="flex min-h-12 items-center gap-x-3 px-4 py-1.5">
      <span className="min-w-0 flex-1">
        <span className="block font-semibold break-words">{description}</span>
        <span className="block text-small break-words text-muted">
          {who}, <RelativeTime at={at} />
        </span>
      </span>
      {result === 'done' ? null : <StateChip tone={resultTones[result]} label={results[result]} />}
      {jobId ? (
        <Link
          href={`/jobs/${jobId}`}
          className="inline-flex min-h-6 items-center rounded-control text-small text-accent underline hover:text-accent-hover"
        >
          Log
        </Link>
      ) : null}
    </li>
  )
}

export const resultTones: Readonly<Record<Result, Tone>> = {
  done: 'done',
  failed: 'danger',
  denied: 'warn',
  asked: 'neutral',
  unknown: 'warn',
  interrupted: 'warn',
  cancelled: 'neutral',
  open: 'neutral',
  tamper: 'danger',
}
