/** What a batch and its targets are called: "Back up 5 sites", "Add 6 aliases to example.org". */
import 'server-only'
import { toReadableDomain } from '@/lib/text/idn'
import { findBatchKind } from './kinds'

const number = new Intl.NumberFormat('en-GB')

const plurals = { site: 'sites', server: 'servers', alias: 'aliases', address: 'addresses' } as const

/** targets: how many. first: the first of them, as it is stored. */
export function titleOfBatch(operation: string, targets: number, first: { name: string; fields?: string } | undefined): string {
  const kind = findBatchKind(operation)
  if (!kind) return `${operation}: ${number.format(targets)}`
  const counted = `${number.format(targets)} ${targets === 1 ? kind.noun : plurals[kind.noun]}`
  const title = kind.titleFor?.(JSON.parse(first?.fields ?? '{}')) ?? kind.title
  return title.replace('%', counted).replace('@', () => toReadableDomain(first?.name ?? ''))
}

/** The name of one target: that of its server or site, or of the part of the site that it is about. */
export const nameOfTarget = (operation: string, { name, fields }: { name: string; fields: string }): string =>
  findBatchKind(operation)?.nameOf?.(name, JSON.parse(fields)) ?? name
