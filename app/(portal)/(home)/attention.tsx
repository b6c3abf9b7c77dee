'use client'

import { CircleCheck } from 'lucide-react'
import { Fragment, useState } from 'react'
import { Card, Section } from '@/app/_ui/section'
import type { AttentionItem } from '@/lib/portal/views/home/attention-item'
import type { HomeView } from '@/lib/portal/views/home/home'
import { usePortalLink } from '../../_shared/frame/portal-link'
import { formatState } from '../../_shared/servers/server-state'
import { Button, ButtonLink } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { lazyComponent } from '../../_ui/lazy'
import { Link } from '../../_ui/page-link'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'

const tones = { danger: 'danger', warn: 'warn', info: 'neutral' } as const

/** What needs attention, or that nothing does. */
export function Attention({ home, readAt }: { home: HomeView; readAt: number | null }) {
  const { attention, attentionInAll } = home
  const { link } = usePortalLink()
  const unshown = attentionInAll - attention.reduce((sum, { count }) => sum + count, 0)
  return (
    <Section
      title="Needs attention"
      aside={attentionInAll > 0 ? <Extent count={attentionInAll} readAt={link === 'up' ? null : readAt} /> : null}
    >
      <Card className="overflow-hidden">
        {attentionInAll === 0 ? (
          <AllClear readAt={readAt} />
        ) : (
          <ul className="divide-y divide-line">
            {attention.map((item) => (
              <Line key={item.key} item={link === 'up' ? item : withoutVerdict(item)} />
            ))}
            {unshown > 0 ? <li className="px-4 py-3 text-small text-muted">And {formatCount(unshown)} more.</li> : null}
          </ul>
        )}
      </Card>
    </Section>
  )
}

/** readAt: when the list was read, if it cannot be read now. */
const Extent = ({ count, readAt }: { count: number; readAt: number | null }) => (
  <span className="text-small text-muted">
    {formatCount(count)}
    {readAt === null ? null : (
      <>
        {' '}
        · read <RelativeTime at={new Date(readAt).toISOString()} />
      </>
    )}
  </span>
)

/** While the page cannot reach the portal, its servers are not known to be unreachable. */
const withoutVerdict = (item: AttentionItem): AttentionItem =>
  item.word === formatState('unreachable') ? { ...item, tone: 'info', word: formatState('unknown') } : item

function Line({ item }: { item: AttentionItem }) {
  const { tone, word, title, says, since, sinceLabel, members, href, action } = item
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <span className="max-tablet:basis-full tablet:w-28">
        <StateChip tone={tones[tone]} label={word} />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold break-words">{title}</p>
        <p className="text-small break-words text-muted">
          {says}
          {since === null ? null : (
            <>
              {' '}
              {sinceLabel} <RelativeTime at={since} />.
            </>
          )}
        </p>
        {members.length > 0 ? <Members item={item} /> : null}
      </div>
      <span className="flex flex-wrap gap-2">
        <BatchButton item={item} />
        <ButtonLink href={href} aria-label={`${action}: ${title}`}>
          {action}
        </ButtonLink>
      </span>
    </li>
  )
}

/** Each leads to its page; those that are not named are in the list that the line leads to. */
function Members({ item: { members, count } }: { item: AttentionItem }) {
  const unnamed = count - members.length
  return (
    <p className="mt-1 text-small break-words text-muted">
      {members.map(({ name, note, href }, place) => (
        <Fragment key={href}>
          {place === 0 ? '' : ', '}
          <Link href={href} className="text-accent underline decoration-line-strong underline-offset-2 hover:decoration-current">
            {name}
          </Link>
          {note === '' ? '' : ` (${note})`}
        </Fragment>
      ))}
      {unnamed > 0 ? ` and ${formatCount(unnamed)} more` : ''}
    </p>
  )
}

function AllClear({ readAt }: { readAt: number | null }) {
  return (
    <div className="flex items-start gap-3 px-4 py-4">
      <CircleCheck aria-hidden size={20} strokeWidth={1.5} className="shrink-0 text-ok" />
      <div>
        <p className="font-semibold">No problems</p>
        <p className="text-small text-muted">
          All connections work, and the latest checks of servers and sites succeeded.
          {readAt === null ? null : (
            <>
              {' '}
              Updated <RelativeTime at={new Date(readAt).toISOString()} />.
            </>
          )}
        </p>
      </div>
    </div>
  )
}

const BatchDialog = lazyComponent(async () => (await import('../../_shared/batches/batch-dialog')).BatchDialog)

/** title: with % in place of "5 servers". confirms: the number has to be typed. */
type Words = { label: string; title: string; description: string; confirms?: true; fields?: Readonly<Record<string, string>> }

/** By the operation that settles all problems of a line. */
const words: Readonly<Record<string, Words>> = {
  'servers.summary': { label: 'Check all', title: 'Check %', description: '' },
  'servers.install': { label: 'Install all', title: 'Install %', description: 'Servers that are installed already get what they lack.' },
  'servers.upgrade': { label: 'Update all', title: 'Bring % up to date', description: '' },
  'servers.applyUpdates': {
    label: 'Install updates',
    title: 'Install security updates on %',
    description: 'The web server, PHP and the database may restart. Nothing is removed, and files that you edited in /etc stay.',
    fields: { security: '1' },
  },
  'servers.reboot': {
    label: 'Reboot all',
    title: 'Reboot %',
    description: 'Each server is offline for a minute or two. The next one restarts without waiting for it.',
    confirms: true,
  },
  'backups.create': { label: 'Back up again', title: 'Back up %', description: '' },
}

/** The one action for all problems of a line. Nothing for an operation that has no words here. */
function BatchButton({ item: { batch, count, title } }: { item: AttentionItem }) {
  const [open, setOpen] = useState(false)
  const own = batch && words[batch.operation]
  if (!batch || !own) return null
  const { label, description, ...dialog } = own
  return (
    <>
      <Button aria-label={`${label}: ${title}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open ? (
        <BatchDialog
          open
          onOpenChange={setOpen}
          operation={batch.operation}
          noun={batch.noun}
          ids={batch.ids}
          description={`${description} ${formatLeft(count - batch.ids.length)}`.trim()}
          {...dialog}
        />
      ) : null}
    </>
  )
}

const formatLeft = (left: number): string =>
  left === 0 ? '' : `${countOf(left, 'problem')} ${left === 1 ? 'is' : 'are'} left out, where you or the service cannot do this.`
