'use client'

import { clsx } from 'clsx'
import { Archive, CircleX, LogIn, type LucideIcon, Package, RotateCw, ShieldCheck, Unplug } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { NightKind, NightMark, NightView } from '@/lib/portal/views/home/night'
import { useDrawnNow } from '../../_ui/clock'
import { Link } from '../../_ui/page-link'
import { useTimeZone } from '../../_ui/time-zone'
import { formatMark, ticksOf } from './night-words'

/** The name of the lane and its sign; the list shows the sign too, so that colour is never the only one. */
export const lanes: Readonly<Record<NightKind, { label: string; Icon: LucideIcon; bar: string; text: string }>> = {
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
export function NightStrip({ night }: { night: NightView }) {
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
