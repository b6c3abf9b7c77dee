/** The figures in the list of servers: their columns and filters. */

import { countFacetValues, type FacetCounts } from '@/app/_shared/collection/query'
import type { FigureColumns, FigureName } from '@/lib/portal/views/vitals/figures'
import type { VitalsLine } from '@/lib/portal/views/vitals/vitals'
import { type ServerVitals, vitalsOf } from './server-line'

type Vitals = Partial<ServerVitals> | undefined

const minuteMs = 60_000

export const fillLevels: Readonly<Record<string, string>> = { '90': '90 % or more', '75': '75 % or more' }

/** A disk that is 92 % full is also 75 % full or more. */
const levelsOf = (percent: number | null | undefined): string[] =>
  Object.keys(fillLevels).filter((least) => percent != null && percent >= Number(least))

/** All waiting updates. A service may report only security updates. */
export const waitingOf = (vitals: Vitals): number => Math.max(vitals?.updates ?? 0, vitals?.security ?? 0)

const updateKindsOf = (vitals: Vitals): string[] =>
  waitingOf(vitals) === 0 ? [] : (vitals?.security ?? 0) > 0 ? ['any', 'security'] : ['any']

/** As Home counts them: a backup that ended within 26 hours is of last night. */
const backupNightMinutes = 26 * 60

export function backupAgeOf(vitals: Vitals, now = Date.now()): ('night' | 'older' | 'none')[] {
  if (vitals?.backupAt === undefined) return []
  if (vitals.backupAt === null) return ['none']
  return [vitals.backupAt > now / minuteMs - backupNightMinutes ? 'night' : 'older']
}

const backupAges: Readonly<Record<string, string>> = { night: 'Last night', older: 'Older', none: 'None known' }

export const formatBackupAge = (age: string): string => backupAges[age] ?? age

type FigureColumn = {
  /** The figures that the list needs of all servers to be sorted or filtered by it. */
  needs: readonly FigureName[]
  /** Whether the column has something to show for a server. */
  has: (vitals: Vitals) => boolean
  /** The values of the filter of the same id. */
  valuesOf?: (vitals: Vitals) => string[]
}

/** By column id. */
export const figureColumns = {
  disk: { needs: ['disk'], has: (vitals) => vitals?.disk != null, valuesOf: (vitals) => levelsOf(vitals?.disk) },
  memory: { needs: ['memory'], has: (vitals) => vitals?.memory != null, valuesOf: (vitals) => levelsOf(vitals?.memory) },
  load: { needs: ['load'], has: (vitals) => vitals?.load != null },
  updates: {
    needs: ['updates', 'security'],
    has: (vitals) => vitals?.updates != null || waitingOf(vitals) > 0,
    valuesOf: updateKindsOf,
  },
  sites: { needs: ['sites'], has: (vitals) => (vitals?.sites ?? 0) > 0 },
  backup: { needs: ['backupAt'], has: (vitals) => vitals?.backupAt != null, valuesOf: (vitals) => backupAgeOf(vitals) },
} as const satisfies Record<string, FigureColumn>

const entries = Object.entries<FigureColumn>(figureColumns)

/** counts: by filter; filled: the columns that have something to show for any server. */
export type FigureSummary = { counts: FacetCounts; filled: string[] }

/** The answer of /api/servers/figures. */
export type Figures = FigureColumns & FigureSummary

export function summarizeFigures(lines: readonly VitalsLine[]): FigureSummary {
  const all = lines.map(vitalsOf)
  const filters = entries.flatMap(([id, { valuesOf }]) => (valuesOf ? [{ id, valuesOf }] : []))
  const index = all.map((row) => ({ row, text: '', values: Object.fromEntries(filters.map(({ id, valuesOf }) => [id, valuesOf(row)])) }))
  return {
    counts: countFacetValues(
      filters.map(({ id }) => id),
      index,
    ),
    filled: entries.flatMap(([id, { has }]) => (all.some(has) ? [id] : [])),
  }
}

/** The figures that the list needs of all servers for this order and these filters. */
export const figuresFor = (ids: readonly string[]): FigureName[] => [
  ...new Set(entries.flatMap(([id, { needs }]) => (ids.includes(id) ? needs : []))),
]
