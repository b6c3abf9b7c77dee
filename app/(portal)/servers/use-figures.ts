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
  /** Of the servers in the list: those that it is sorted or filtered by. */
  byId: Kept['byId']
  /** Null until it is read. */
  summary: FigureSummary | null
  /** Whether all are there that the query needs, or cannot be read. */
  ready: boolean
}

/** The figures of all servers by which the list is sorted or filtered, and only those. */
export function useFigures(query: ListQuery, list: ServerList | null): FiguresState {
  const needed = figuresFor([query.column, ...facets.filter((facet) => chosenOf(query, facet).length > 0)])
  // By place in the list, so they are read once it is there, and again when it has changed.
  const asked = list && list.order !== '' && needed.length > 0 ? { of: needed.join(' '), order: list.order } : {}
  const { data, problem } = useRead(portalRead('/api/servers/figures', asked), { everyMs })
  const [kept, setKept] = useState(nothingKept)
  if (list && data && data.order === list.order && data.columns !== kept.columns) setKept(placeFigures(list.servers, data))
  const [summary, setSummary] = useState<FigureSummary | null>(null)
  if (data && data !== summary) setSummary(data)
  const ready = problem !== null || needed.every((name) => name in kept.columns)
  return useMemo(() => ({ byId: kept.byId, summary, ready }), [kept, summary, ready])
}

/** columns: by place in `servers`. A server whose figures may not be read has -1 there. */
export function placeFigures(servers: readonly { id: string }[], { columns }: Pick<FigureColumns, 'columns'>): Kept {
  const named = Object.entries(columns) as [FigureName, (number | null)[]][]
  const byId = new Map<string, Partial<ServerVitals>>()
  for (const [at, { id }] of servers.entries()) {
    const figures = named.map(([name, values]) => [name, values[at] ?? null] as const)
    if (figures.every(([, value]) => value === null || value >= 0)) byId.set(id, Object.fromEntries(figures))
  }
  return { columns, byId }
}

/** For a file, which has the figures of all columns. */
export async function withAllFigures(servers: readonly ServerLine[]): Promise<readonly ServerLine[]> {
  const { data } = await read(portalRead('/api/servers/vitals'))
  return withVitals(servers, vitalsById(data.vitals))
}
