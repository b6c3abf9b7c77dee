'use client'

import { CircleCheck } from 'lucide-react'
import type { AttentionItem } from '@/lib/portal/home/attention'
import type { HomeView } from '@/lib/portal/home/home'
import { ButtonLink } from '../../_ui/button'
import { RelativeTime } from '../../_ui/relative-time'
import { Section } from '../../_ui/section'
import { Sheet } from '../../_ui/sheet'
import { StateChip } from '../../_ui/state-chip'

const tones = { danger: 'danger', warn: 'warn', info: 'neutral' } as const

/** What somebody has to look at, or that there is nothing. */
export function Attention({ home, readAt }: { home: HomeView; readAt: number | null }) {
  const { attention, attentionInAll } = home
  const count = attention.length < attentionInAll ? `${attention.length} of ${attentionInAll}` : String(attentionInAll)
  return (
    <Section title="Needs attention" aside={attentionInAll > 0 ? <span className="text-small text-muted">{count}</span> : null}>
      <Sheet className="overflow-hidden">
        {attentionInAll === 0 ? (
          <AllWell readAt={readAt} />
        ) : (
          <ul className="divide-y divide-line">
            {attention.map((item) => (
              <Line key={item.key} item={item} />
            ))}
          </ul>
        )}
      </Sheet>
    </Section>
  )
}

function Line({ item: { tone, word, title, says, href, action } }: { item: AttentionItem }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <span className="max-tablet:basis-full tablet:w-28">
        <StateChip tone={tones[tone]} word={word} />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold break-words">{title}</p>
        <p className="text-small text-muted">{says}</p>
      </div>
      <ButtonLink href={href} prefetch={false} aria-label={`${action}: ${title}`}>
        {action}
      </ButtonLink>
    </li>
  )
}

function AllWell({ readAt }: { readAt: number | null }) {
  return (
    <div className="flex items-start gap-3 px-4 py-4">
      <CircleCheck aria-hidden size={20} strokeWidth={1.5} className="shrink-0 text-ok" />
      <div>
        <p className="font-semibold">All is well</p>
        <p className="text-small text-muted">
          Every connection answers and nothing waits for you.
          {readAt === null ? null : (
            <>
              {' '}
              Looked at <RelativeTime at={new Date(readAt).toISOString()} />.
            </>
          )}
        </p>
      </div>
    </div>
  )
}
