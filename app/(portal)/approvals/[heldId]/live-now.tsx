import { Fragment } from 'react'
import { Facts } from '@/app/_ui/facts'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Section } from '@/app/_ui/section'
import { formatSize } from '@/app/_ui/size'
import type { LiveFact, LivePart } from '@/lib/portal/approvals/live'
import { showBidiControls } from '@/lib/text/bidi'

/** What the service says is there now. Nothing while the request is about something else. */
export async function LiveNow({ facts }: { facts: Promise<LiveFact[]> }) {
  const read = await facts
  if (read.length === 0) return null
  return (
    <Section title="What the service says is there now">
      <Facts facts={read.map(({ label, lines }) => ({ label, value: '', control: <Lines lines={lines} /> }))} />
    </Section>
  )
}

function Lines({ lines }: { lines: readonly LivePart[][] }) {
  if (lines.length === 0) return <span className="text-muted">Not known</span>
  return (
    <ul className="min-w-0">
      {lines.map((parts) => (
        <li key={JSON.stringify(parts)} className="break-words">
          {parts.map((part, index) => (
            <Fragment key={JSON.stringify(part)}>
              {index === 0 ? null : ' '}
              <Part part={part} />
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
  )
}

function Part({ part }: { part: LivePart }) {
  if ('at' in part) return <RelativeTime at={part.at} />
  return 'bytes' in part ? formatSize(part.bytes) : showBidiControls(part.text)
}
