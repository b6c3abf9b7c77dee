import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'

/** What sites.settings answers about the site. */
export type SslSettings = Answer<typeof sites.settings>['item'][0]

/**
 * The id is the name. certificate: empty without one. check: what a certificate authority would find now; empty if it was not checked.
 * reasons: sentences, each once.
 */
export type NameRow = {
  id: string
  certificate: '' | 'covered' | 'left-out'
  check: '' | 'ready' | 'warning' | 'blocked'
  reasons: readonly string[]
}

/** The names of a site, those that need something first. The domain comes first among equals. None if the service reports nothing of them. */
export function nameRows({ domain, names, covered, left_out, checks }: SslSettings): NameRow[] {
  if (!checks && !covered?.length && !left_out?.length) return []
  const inCertificate = new Set(covered)
  const leftOut = new Map(left_out?.map(({ name, reason }) => [name, reason]))
  const checked = new Map(checks?.map((check) => [check.name, check]))
  const ids = [...new Set([domain, ...(names ?? []), ...inCertificate, ...leftOut.keys(), ...checked.keys()])]
  const rows = ids.map((id): NameRow => {
    const [check, left] = [checked.get(id), leftOut.get(id)]
    return {
      id,
      certificate: inCertificate.has(id) ? 'covered' : left === undefined ? '' : 'left-out',
      check: check?.result ?? '',
      reasons: [...new Set([left ?? '', check?.reason ?? ''])].filter((reason) => reason !== ''),
    }
  })
  return rows.sort((one, other) => urgencyOf(one) - urgencyOf(other))
}

const urgencyOf = ({ check, certificate }: NameRow): number =>
  check === 'blocked' ? 0 : certificate === 'left-out' ? 1 : check === 'warning' ? 2 : 3

/** Why SSL cannot be switched on; null if it can, as far as the service tells. */
export function findObstacle({ domain, checks }: SslSettings): string | null {
  const check = checks?.find(({ name }) => name === domain)
  return check?.result === 'blocked' ? check.reason : null
}

/** Whether a record may be missing for any name. */
export const needsRecords = ({ checks }: SslSettings): boolean => checks?.some(({ result }) => result !== 'ready') ?? false
