'use client'

import { useSearchParams } from 'next/navigation'
import { useMemo, useState } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import { ReadTrouble } from '../../../../_shared/read-trouble'
import { useOperation } from '../../../../_shared/use-read'
import { Button } from '../../../../_ui/button'
import { EmptyState } from '../../../../_ui/empty-state'
import { filterChip } from '../../../../_ui/filter-menu'
import { Input } from '../../../../_ui/input'
import { Section } from '../../../../_ui/section'
import { Sheet } from '../../../../_ui/sheet'
import { DeletePicked, sayCount } from '../delete-picked'
import { useForeign } from '../foreign-service'
import { formatSize } from '../summary'
import { usePicked } from '../use-picked'
import { deleteMessages } from './actions'
import { MailTable } from './mail-table'
import { MailTime } from './mail-time'
import { filterMessages, type MailAnswer, type Message, oldestOf, saySender, totalBytes } from './queue'

type MailViewProps = { serverId: string; name: string; first: Outcome<MailAnswer>; mayDelete: boolean }

const words = ['message', 'messages'] as const
const noMessages: readonly Message[] = []

export function MailView({ serverId, name, first, mayDelete }: MailViewProps) {
  const read = useOperation('mail.list', { serverId }, { first, everyMs: 15_000 })
  const messages = read.data?.messages ?? noMessages
  const foreign = useForeign()
  const { search, grouped, narrow } = useMailQuery()
  const shown = useMemo(() => filterMessages(messages, search), [messages, search])
  const picked = usePicked(useMemo(() => messages.map(({ id }) => id), [messages]))
  const chosen = useMemo(() => messages.filter(({ id }) => picked.has(id)), [messages, picked.has])
  const hidden = useMemo(() => {
    const seen = new Set(shown.map(({ id }) => id))
    return picked.ids.filter((id) => !seen.has(id)).length
  }, [shown, picked.ids])
  return (
    <>
      <ReadTrouble read={read} nothingRead={`The mail queue of ${name} could not be read.`} />
      {read.data === null ? null : messages.length === 0 ? (
        <Section title="Mail queue">
          <Sheet>
            <EmptyState title="No mail is waiting">
              {foreign ? (
                <p>The service lists no waiting messages of {name}.</p>
              ) : (
                <p>That is good: whatever {name} had to send has left it. Messages stand here while their receiver cannot be reached.</p>
              )}
            </EmptyState>
          </Sheet>
        </Section>
      ) : (
        <Section title="Mail queue" aside={<Totals messages={messages} />}>
          <div className="flex flex-wrap items-center gap-2">
            <Input
              type="search"
              aria-label="Filter messages"
              placeholder="Filter by sender, recipient, id"
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              className="tablet:max-w-80"
              value={search}
              onChange={(event) => narrow({ search: event.target.value })}
            />
            <button type="button" aria-pressed={grouped} onClick={() => narrow({ grouped: !grouped })} className={filterChip(grouped)}>
              Group by sender
            </button>
            <p role="status" className="text-small text-muted">
              {search === ''
                ? sayCount(messages.length, words)
                : `${shown.length.toLocaleString('en-GB')} of ${sayCount(messages.length, words)}`}
            </p>
            <Button className="ml-auto" disabled={shown.length === 0} onClick={() => picked.toggle(shown.map(({ id }) => id))}>
              {shown.length > 0 && shown.every(({ id }) => picked.has(id))
                ? 'Select none'
                : search === ''
                  ? 'Select all'
                  : 'Select all matching'}
            </Button>
          </div>
          {shown.length === 0 ? (
            <Sheet>
              <EmptyState title="No message fits" actions={<Button onClick={() => narrow({ search: '' })}>Clear the filter</Button>}>
                <p>Nothing that waits has all of these words in its sender, its recipients or its id.</p>
              </EmptyState>
            </Sheet>
          ) : (
            <MailTable messages={shown} grouped={grouped} picked={picked} />
          )}
          <DeletePicked
            serverId={serverId}
            picked={picked}
            words={words}
            says={
              foreign ? (
                <p>They cannot be brought back.</p>
              ) : (
                <p>They will not be delivered and cannot be brought back. Nobody is told: neither their senders nor those they were for.</p>
              )
            }
            names={chosen.map(({ sender, recipient }) => `${saySender(sender)} → ${recipient}`)}
            note={
              hidden > 0 ? <span className="font-normal text-muted">({hidden.toLocaleString('en-GB')} hidden by the filter)</span> : null
            }
            mayDelete={mayDelete}
            action={deleteMessages}
            reread={read.again}
          />
        </Section>
      )}
    </>
  )
}

function Totals({ messages }: { messages: readonly Message[] }) {
  const oldest = oldestOf(messages)
  return (
    <p className="text-small text-muted">
      {formatSize(String(totalBytes(messages)))}
      {oldest ? (
        <>
          , the oldest from <MailTime at={oldest} />
        </>
      ) : null}
    </p>
  )
}

/** The filter, kept in the address so that it can be passed on. */
function useMailQuery() {
  const params = useSearchParams()
  const [query, setQuery] = useState(() => ({ search: params.get('q') ?? '', grouped: params.get('by') === 'sender' }))
  const narrow = (change: Partial<typeof query>) => {
    const next = { ...query, ...change }
    setQuery(next)
    const address = new URLSearchParams({ ...(next.search && { q: next.search }), ...(next.grouped && { by: 'sender' }) }).toString()
    history.replaceState(null, '', `${location.pathname}${address && `?${address}`}`)
  }
  return { ...query, narrow }
}
