'use client'

import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import type { HomeView } from '@/lib/portal/views/home/home'
import type { NightMark, NightView } from '@/lib/portal/views/home/night'
import { usePortalLink } from '../../_shared/frame/portal-link'
import { portalRead } from '../../_shared/reads/read-address'
import { useRead } from '../../_shared/reads/use-read'
import { Button } from '../../_ui/button'
import { Card } from '../../_ui/card'
import { formatCount } from '../../_ui/count'
import { firstQuiet } from '../../_ui/idle'
import { Notice } from '../../_ui/notice'
import { Link } from '../../_ui/page-link'
import { Section } from '../../_ui/section'
import { Skeleton } from '../../_ui/skeleton'
import { useTimeZone } from '../../_ui/time-zone'
import { lanes, NightStrip } from './night-strip'
import { firstRows, formatNight, formatNothing, formatSpan, formatUnknown } from './night-words'

const everyMs = 60_000

type NightProps = { first: Outcome<NightView>; states: HomeView['servers']['states'] }

/** What happened last night, once the page has loaded and is idle: its many times need Intl, which is slow to begin. */
export function Night(props: NightProps) {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => void firstQuiet().then(() => setQuiet(true)), [])
  if (quiet) return <WholeNight {...props} />
  return (
    <Section title="Last night">
      <Card className="flex h-72 flex-col gap-3 px-4 py-3 max-tablet:h-40">
        <Skeleton className="h-5 w-48" />
        <Skeleton className="h-full w-full" />
      </Card>
    </Section>
  )
}

/** From evening to morning, in the reader's time zone: a line of time, and the same as a list. */
function WholeNight({ first, states }: NightProps) {
  const timeZone = useTimeZone()
  const { data, problem } = useRead(portalRead('/api/night', { zone: timeZone }), { first, everyMs })
  const { link } = usePortalLink()
  const unread = problem !== null && link === 'up' ? `Last night could not be read. ${problem.sentence}` : null
  if (data === null) return unread === null ? null : <Unread title={unread} />
  const unknown = formatUnknown((states.unreachable ?? 0) + (states.unknown ?? 0))
  return (
    <Section
      title="Last night"
      aside={
        <span className="text-small text-muted" suppressHydrationWarning>
          {formatNight(data, timeZone)}
        </span>
      }
    >
      {unread === null ? null : <Unread title={unread} />}
      <Card className="overflow-hidden">
        {data.marks.length === 0 ? (
          <p className="px-4 py-3 text-muted">{formatNothing(data)}</p>
        ) : (
          <>
            <NightStrip night={data} />
            <Rows marks={data.marks} />
          </>
        )}
        {unknown !== '' && link === 'up' ? <p className="border-t border-line px-4 py-2.5 text-small text-muted">{unknown}</p> : null}
        {data.isCut ? (
          <p className="border-t border-line px-4 py-2.5 text-small text-muted">
            More happened than fits here. Jobs and Activity have all of it.
          </p>
        ) : null}
      </Card>
    </Section>
  )
}

const Unread = ({ title }: { title: string }) => (
  <Notice tone="warn" title={title}>
    Retrying automatically.
  </Notice>
)

function Rows({ marks }: { marks: readonly NightMark[] }) {
  const [all, setAll] = useState(false)
  const rows = all ? marks : firstRows(marks)
  return (
    <>
      <ol aria-label="Last night" className="divide-y divide-line">
        {rows.map((mark) => (
          <Row key={mark.key} mark={mark} />
        ))}
      </ol>
      {rows.length < marks.length ? (
        <div className="border-t border-line px-4 py-2">
          <Button variant="ghost" onClick={() => setAll(true)} className="-mx-3">
            Show all {formatCount(marks.length)}
          </Button>
        </div>
      ) : null}
    </>
  )
}

function Row({ mark }: { mark: NightMark }) {
  const timeZone = useTimeZone()
  const { Icon, text } = lanes[mark.kind]
  return (
    <li className="relative flex items-start gap-x-3 px-4 py-2 hover:bg-selected has-focus-visible:bg-selected max-tablet:flex-wrap">
      <span className="w-28 shrink-0 text-small text-muted max-tablet:order-first max-tablet:w-full" suppressHydrationWarning>
        {formatSpan(mark, timeZone)}
      </span>
      <Icon aria-hidden size={16} strokeWidth={1.5} className={clsx('mt-0.5 shrink-0', text)} />
      <p className="min-w-0 flex-1 break-words">
        <Link
          href={mark.href}
          className="after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
        >
          {mark.title}
        </Link>
        {mark.names === '' ? null : <span className="text-small text-muted"> {mark.names}</span>}
      </p>
    </li>
  )
}
