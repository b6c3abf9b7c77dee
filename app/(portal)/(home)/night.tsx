'use client'

import { clsx } from 'clsx'
import { Archive, CircleX, LogIn, type LucideIcon, Package, RotateCw, ShieldCheck, Unplug } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Card, Section } from '@/app/_ui/section'
import type { Outcome } from '@/lib/contract/problem'
import type { HomeView } from '@/lib/portal/views/home/home'
import type { NightKind, NightMark, NightView } from '@/lib/portal/views/home/night'
import { usePortalLink } from '../../_shared/frame/portal-link'
import { portalRead } from '../../_shared/reads/read-address'
import { useRead } from '../../_shared/reads/use-read'
import { Button } from '../../_ui/button'
import { useDrawnNow, useTimeZone } from '../../_ui/clock'
import { countOf, formatCount } from '../../_ui/count'
import { firstQuiet } from '../../_ui/idle'
import { Notice } from '../../_ui/notice'
import { Link } from '../../_ui/page-link'
import { Skeleton } from '../../_ui/skeleton'
import { timeFormat } from '../../_ui/time-in-zone'

// Times and marks of last night in words.

/** "02:14", or "02:14 to 02:25" for what took longer than a minute from the first to the last. */
function formatSpan({ at, until }: Pick<NightMark, 'at' | 'until'>, timeZone: string): string {
  const format = timeFormat(timeZone, { hour: '2-digit', minute: '2-digit' })
  const [from, to] = [format(Date.parse(at)), format(Date.parse(until))]
  return from === to ? from : `${from} to ${to}`
}

/** "Fri 27 Nov, 20:00 to 08:00, Europe/Berlin" */
export function formatNight({ from, to }: Pick<NightView, 'from' | 'to'>, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone }).format(Date.parse(from))
  return `${day}, ${formatSpan({ at: from, until: to }, timeZone)}, ${timeZone.replaceAll('_', ' ')}`
}

/** The time, what happened, and to which: the same for the line of time and for screen readers. */
export const formatMark = (mark: NightMark, timeZone: string): string =>
  `${formatSpan(mark, timeZone)}: ${mark.title}${mark.names === '' ? '' : ` (${mark.names})`}`

/** Every two hours, with the place on the line: 0–1. */
export function ticksOf({ from, to }: Pick<NightView, 'from' | 'to'>, timeZone: string): { at: number; label: string }[] {
  const format = timeFormat(timeZone, { hour: '2-digit', minute: '2-digit' })
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const count = Math.floor((end - start) / twoHoursMs) + 1
  return Array.from({ length: count }, (_, place) => start + place * twoHoursMs).map((moment) => ({
    at: (moment - start) / (end - start),
    label: format(moment),
  }))
}

const twoHoursMs = 2 * 3_600_000

/** Why there are no marks. */
export function formatNothing({ since, from }: Pick<NightView, 'since' | 'from'>): string {
  return since !== null && Date.parse(since) > Date.parse(from)
    ? 'Nothing is known of last night yet: the first server was added after it began.'
    : 'A quiet night: no backups, renewals, updates, reboots or failures are known.'
}

/** Of how many servers it is not known what they did; empty for none. */
export const formatUnknown = (servers: number): string =>
  servers === 0 ? '' : `What ${countOf(servers, 'server')} did is not known yet: ${servers === 1 ? 'it' : 'they'} cannot be reached now.`

const maxRows = 10

/** What the list begins with: everything that went wrong, and the rest as far as there is room; in order of time. */
export function firstRows(marks: readonly NightMark[]): NightMark[] {
  const isWrong = ({ kind }: NightMark) => kind === 'failure' || kind === 'outage'
  const room = Math.max(0, maxRows - marks.filter(isWrong).length)
  const others = new Set(marks.filter((mark) => !isWrong(mark)).slice(0, room))
  return marks.filter((mark) => isWrong(mark) || others.has(mark))
}

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

/** The name of the lane and its sign; the list shows the sign too, so that colour is never the only one. */
const lanes: Readonly<Record<NightKind, { label: string; Icon: LucideIcon; bar: string; text: string }>> = {
  failure: { label: 'Failures', Icon: CircleX, bar: 'bg-danger', text: 'text-danger' },
  outage: { label: 'Outages', Icon: Unplug, bar: 'bg-danger', text: 'text-danger' },
  backup: { label: 'Backups', Icon: Archive, bar: 'bg-accent', text: 'text-muted' },
  renewal: { label: 'Renewals', Icon: ShieldCheck, bar: 'bg-accent', text: 'text-muted' },
  updates: { label: 'Updates', Icon: Package, bar: 'bg-accent', text: 'text-muted' },
  reboot: { label: 'Reboots', Icon: RotateCw, bar: 'bg-accent', text: 'text-muted' },
  signIn: { label: 'Sign-ins', Icon: LogIn, bar: 'bg-warn', text: 'text-warn' },
}

const laneOrder = Object.keys(lanes) as NightKind[]

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_at, last) => last,
}

/** Marks on a line of time, one lane for each kind. The pointer or the arrow keys say what each is; the list below has the same. */
function NightStrip({ night }: { night: NightView }) {
  const { marks } = night
  const timeZone = useTimeZone()
  const now = useDrawnNow(60_000)
  const strip = useRef<HTMLElement>(null)
  // The mark that the Tab key reaches, and the one that is described.
  const [reached, setReached] = useState(0)
  const [shown, setShown] = useState<NightMark | null>(null)
  const last = marks.length - 1
  const [start, end] = [Date.parse(night.from), Date.parse(night.to)]
  const placeOf = (moment: number) => Math.min(100, Math.max(0, ((moment - start) / (end - start)) * 100))
  const go = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const next = Math.min(last, Math.max(0, step(Math.min(reached, last), last)))
    setReached(next)
    strip.current?.querySelector<HTMLElement>(`[data-mark="${next}"]`)?.focus()
  }
  return (
    <section ref={strip} aria-label="Line of time" onKeyDown={go} className="border-b border-line px-4 pt-3 pb-2 max-tablet:hidden">
      <div aria-hidden className="relative ml-28 h-4 text-chip text-muted">
        {ticksOf(night, timeZone).map(({ at, label }) => (
          <span
            key={label}
            style={{ left: `${at * 100}%` }}
            className="absolute -translate-x-1/2 first:translate-x-0 last:-translate-x-full"
          >
            {label}
          </span>
        ))}
      </div>
      {laneOrder
        .filter((kind) => marks.some((mark) => mark.kind === kind))
        .map((kind) => (
          <div key={kind} className="flex h-7 items-center">
            <LaneName kind={kind} />
            <div className="relative h-full flex-1 border-b border-line">
              {now < end ? (
                <span aria-hidden style={{ left: `${placeOf(now)}%` }} className="absolute inset-y-0 right-0 bg-sunken" />
              ) : null}
              {marks.map((mark, place) =>
                mark.kind === kind ? (
                  <Link
                    key={mark.key}
                    href={mark.href}
                    data-mark={place}
                    tabIndex={place === Math.min(reached, last) ? 0 : -1}
                    aria-label={formatMark(mark, timeZone)}
                    style={{
                      left: `${placeOf(Date.parse(mark.at))}%`,
                      width: `${placeOf(Date.parse(mark.until)) - placeOf(Date.parse(mark.at))}%`,
                    }}
                    onFocus={() => {
                      setReached(place)
                      setShown(mark)
                    }}
                    onBlur={() => setShown(null)}
                    onPointerEnter={() => setShown(mark)}
                    onPointerLeave={() => setShown(null)}
                    className="absolute inset-y-0 flex min-w-2.5 items-center"
                  >
                    {/* The border is visible where the browser replaces colours. */}
                    <span className={clsx('h-4 w-full rounded-[3px] border border-transparent', lanes[kind].bar)} />
                  </Link>
                ) : null,
              )}
            </div>
          </div>
        ))}
      <p aria-hidden className="mt-2 ml-28 min-h-[18px] truncate text-small text-muted">
        {shown ? formatMark(shown, timeZone) : 'Point at a mark or use the arrow keys.'}
      </p>
    </section>
  )
}

function LaneName({ kind }: { kind: NightKind }) {
  const { label, Icon, text } = lanes[kind]
  return (
    <span aria-hidden className="flex w-28 shrink-0 items-center gap-2 text-small text-muted">
      <Icon size={16} strokeWidth={1.5} className={clsx('shrink-0', text)} />
      {label}
    </span>
  )
}
