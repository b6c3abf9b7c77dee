'use client'

import { createContext, memo, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react'
import type { VitalsList } from '@/lib/portal/views/vitals/vitals'
import { portalRead } from '../../_shared/reads/read-address'
import { useRead } from '../../_shared/reads/use-read'
import { type ServerLine, type ServerVitals, vitalsOf } from '../../_shared/servers/server-line'
import { DayTicks } from '../../_ui/day-ticks'

/** Samples are taken every few minutes. */
const everyMs = 60_000

/** Reads wait until scrolling or typing pauses. */
const settleMs = 120

/** Servers per read: about what fills a window, and below the limit of the route. */
const atOnce = 50

/** The figures of one server. day: see VitalsList; undefined until it is read. */
type ScreenFigures = { vitals: Partial<ServerVitals>; day?: string; from?: number }

/** Stores the figures of servers that are or were on screen, and which are on screen now. first: the rows rendered by the portal, with their figures. */
export function createScreen(first: readonly ServerLine[] = []) {
  const known = new Map(first.flatMap(({ id, vitals }): [string, ScreenFigures][] => (vitals ? [[id, { vitals }]] : [])))
  const shown = new Map<string, number>()
  const cells = new Set<() => void>()
  const readers = new Set<() => void>()
  let ids: readonly string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function settle(): void {
    ids = [...shown.keys()].sort()
    for (const listener of readers) listener()
  }

  /** A row is on screen while any of its cells is. */
  function count(id: string, more: 1 | -1): void {
    const left = (shown.get(id) ?? 0) + more
    if (left > 0) shown.set(id, left)
    else shown.delete(id)
    clearTimeout(timer)
    timer = setTimeout(settle, settleMs)
  }

  const listening = (listeners: Set<() => void>) => (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  return {
    find: (id: string): ScreenFigures | undefined => known.get(id),
    /** Registers a cell of a server. The returned function removes it. */
    show: (id: string): (() => void) => {
      count(id, 1)
      return () => count(id, -1)
    },
    add: ({ vitals, days, from }: VitalsList): void => {
      for (const [at, line] of vitals.entries()) known.set(line[0], { vitals: vitalsOf(line), day: days[at] ?? '', from })
      for (const listener of cells) listener()
    },
    ids: (): readonly string[] => ids,
    onFigures: listening(cells),
    onIds: listening(readers),
  }
}

type Screen = ReturnType<typeof createScreen>

const ScreenContext = createContext<Screen | null>(null)

/** Reads the figures of the rows that are on screen. first: see createScreen. */
export function ScreenFiguresReader({ first, children }: { first: readonly ServerLine[]; children: ReactNode }) {
  const [screen] = useState(() => createScreen(first))
  const ids = useSyncExternalStore(screen.onIds, screen.ids, screen.ids)
  const reads = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, at) => ids.slice(at * atOnce, (at + 1) * atOnce).join(' '))
  return (
    <ScreenContext value={screen}>
      {children}
      {reads.map((some) => (
        <Reader key={some} screen={screen} ids={some} />
      ))}
    </ScreenContext>
  )
}

const Reader = memo(({ screen, ids }: { screen: Screen; ids: string }) => {
  const { data } = useRead(portalRead('/api/servers/vitals', { ids }), { everyMs })
  useEffect(() => {
    if (data) screen.add(data)
  }, [screen, data])
  return null
})

const nothing = () => undefined
const noScreen = () => nothing

function useScreenFigures(id: string): ScreenFigures | undefined {
  const screen = use(ScreenContext)
  useEffect(() => screen?.show(id), [screen, id])
  const find = () => screen?.find(id)
  return useSyncExternalStore(screen?.onFigures ?? noScreen, find, find)
}

type FiguresProps = { server: ServerLine; children: (vitals: Partial<ServerVitals>) => ReactNode }

/** A cell of figures. Until they are read, it shows those that the portal rendered. */
export function Figures({ server, children }: FiguresProps) {
  const vitals = useScreenFigures(server.id)?.vitals ?? server.vitals
  return vitals ? children(vitals) : null
}

/** The last day of a server. */
export function LastDay({ serverId }: { serverId: string }) {
  const { day = '', from = 0 } = useScreenFigures(serverId) ?? {}
  return day === '' ? null : <DayTicks day={day} fromMs={from * 60_000} />
}
