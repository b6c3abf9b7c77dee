'use client'

import { useMemo, useState } from 'react'
import type { FigureColumns, FigureName } from '@/lib/portal/views/vitals/figures'
import { chosenOf } from '../../_shared/collection/query'
import { read } from '../../_shared/reads/read'
import { portalRead } from '../../_shared/reads/read-address'
import { useRead } from '../../_shared/reads/use-read'
import { type FigureSummary, figuresFor } from '../../_shared/servers/figures'
import { type ServerLine, type ServerVitals, vitalsById, withVitals } from '../../_shared/servers/server-line'
import type { ServerList } from '../../_shared/servers/use-server-list'
import { facets, type ListQuery } from './list-query'

const everyMs = 60_000

type Kept = { columns: FigureColumns['columns']; byId: ReadonlyMap<string, Partial<ServerVitals>> }

const nothingKept: Kept = { columns: {}, byId: new Map() }

export type FiguresState = {
  /** By server id: the figures that the list is sorted or filtered by. */
  byId: Kept['byId']
  /** Null until it is read. */
  summary: FigureSummary | null
  /** Whether all figures that the query needs are read, or cannot be read. */
  ready: boolean
}

/** The figures of all servers by which the list is sorted or filtered, and only those. */
export function useFigures(query: ListQuery, list: ServerList | null): FiguresState {
  const needed = figuresFor([query.column, ...facets.filter((facet) => chosenOf(query, facet).length > 0)])
  // The answer refers to servers by position, so it is read once the list is there, and again when the list changes.
  const asked = list && list.order !== '' && needed.length > 0 ? { of: needed.join(' '), order: list.order } : {}
  const { data, problem } = useRead(portalRead('/api/servers/figures', asked), { everyMs })
  const [kept, setKept] = useState(nothingKept)
  if (list && data && data.order === list.order && data.columns !== kept.columns) setKept(placeFigures(list.servers, data))
  const [summary, setSummary] = useState<FigureSummary | null>(null)
  if (data && data !== summary) setSummary(data)
  const ready = problem !== null || needed.every((name) => name in kept.columns)
  return useMemo(() => ({ byId: kept.byId, summary, ready }), [kept, summary, ready])
}

/** columns: in the order of `servers`; -1 for a server whose figures the user may not read. */
export function placeFigures(servers: readonly { id: string }[], { columns }: Pick<FigureColumns, 'columns'>): Kept {
  const named = Object.entries(columns) as [FigureName, (number | null)[]][]
  const byId = new Map<string, Partial<ServerVitals>>()
  for (const [at, { id }] of servers.entries()) {
    const figures = named.map(([name, values]) => [name, values[at] ?? null] as const)
    if (figures.every(([, value]) => value === null || value >= 0)) byId.set(id, Object.fromEntries(figures))
  }
  return { columns, byId }
}

/** For the CSV file, which contains the figures of all columns. */
export async function withAllFigures(servers: readonly ServerLine[]): Promise<readonly ServerLine[]> {
  const { data } = await read(portalRead('/api/servers/vitals'))
  return withVitals(servers, vitalsById(data.vitals))
}
