'use client'

import { createContext, type ReactNode, use, useMemo } from 'react'
import { portalRead } from '../../_shared/reads/read-address'
import { useRead } from '../../_shared/reads/use-read'
import { DayTicks } from '../../_ui/day-ticks'
import type { TableRow } from '../../_ui/table/column'

/** Rows are read together: those near the window need one or two reads. Fewer than the route answers at once. */
const chunk = 40

const everyMs = 5 * 60_000

/** The ids that are read together with a row, separated by spaces; '' for a row that is not in the list. */
export function chunksOf(rows: readonly TableRow[]): (id: string) => string {
  const places = new Map(rows.map(({ id }, at) => [id, Math.floor(at / chunk)]))
  const texts = new Map<number, string>()
  return (id) => {
    const place = places.get(id)
    if (place === undefined) return ''
    const ids =
      texts.get(place) ??
      rows
        .slice(place * chunk, (place + 1) * chunk)
        .map((row) => row.id)
        .join(' ')
    texts.set(place, ids)
    return ids
  }
}

const ChunkContext = createContext<(id: string) => string>(() => '')

/** rows: all that the list shows, in order. */
export function LastDays({ rows, children }: { rows: readonly TableRow[]; children: ReactNode }) {
  const idsBeside = useMemo(() => chunksOf(rows), [rows])
  return <ChunkContext value={idsBeside}>{children}</ChunkContext>
}

/** The last day of a server, read once its row is near the window. */
export function LastDay({ serverId }: { serverId: string }) {
  const ids = use(ChunkContext)(serverId)
  return ids === '' ? null : <ReadDay ids={ids} serverId={serverId} />
}

function ReadDay({ ids, serverId }: { ids: string; serverId: string }) {
  const { data } = useRead(portalRead('/api/servers/ticks', { ids }), { everyMs })
  const day = data?.ticks[serverId]
  return data && day ? <DayTicks day={day} fromMs={data.from * 60_000} /> : null
}
