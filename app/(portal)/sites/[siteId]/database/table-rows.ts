import type { Answer } from '@/lib/contract/operation'
import type { database } from '@/lib/contract/operations/database'

/** The id is the table's name. null: not reported. */
export type TableRow = { id: string; bytes: number | null; rows: number | null }

export function tableRows({ tables, details }: Answer<typeof database.tables>): TableRow[] {
  const known = new Map(details?.map((table) => [table.name, table]))
  // A name that a service sends twice is still one table.
  return [...new Set(tables)].map((id) => ({ id, bytes: known.get(id)?.bytes ?? null, rows: known.get(id)?.rows ?? null }))
}

/** Null if no size is known. */
export function totalBytes(rows: readonly TableRow[]): number | null {
  const known = rows.flatMap(({ bytes }) => bytes ?? [])
  return known.length === 0 ? null : known.reduce((sum, bytes) => sum + bytes, 0)
}
