/** The faults that the newest checks found on servers. Each is stored as long as it lasts, with the time it was first noticed. */
import 'server-only'
import { causeOf, type Reachability } from '@/lib/contract/reachability'
import { storableText } from '@/lib/database/values'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { upsertFinding } from '@/lib/portal/base/sql/findings'
import { showBidiControls } from '@/lib/text/bidi'
import type { FindingKind, Finding as FindingRow } from '@/prisma/generated/portal/client'

export type { FindingKind }

/**
 * detail: a sentence for unreachable; names for failed_units, failing_certificates, foreign_links and outdated_sites, separated by commas; how
 * many for security_updates. code: for unreachable, the problem's.
 */
export type Finding = FindingRow

/** The result of one check by kind: the detail of a fault, or null if there is none. Kinds that were not checked are absent. */
export type Found = Partial<Readonly<Record<FindingKind, string | null>>>

/** seenAt: the last check that reached the server. code: why it is unreachable. */
type Unreached = { seenAt: () => Promise<Date | null>; code: string | null }

/** In the database. */
const isChecked = { goneAt: null, state: { in: ['ready', ''] } }

/** Findings of a team's servers that are installed, or whose service does not report installs: no others are checked. */
export function readFindings(teamId: string): Promise<readonly Finding[]> {
  return cachedUntilWrite(`findings ${teamId}`, async () => {
    const where = { server: { teamId, ...isChecked } }
    return db().finding.findMany({ where, orderBy: [{ serverId: 'asc' }, { kind: 'asc' }] })
  })
}

/** The team's servers that the newest check could not reach, by id. */
export async function readUnreachable(teamId: string): Promise<Map<string, Reachability>> {
  const found = (await readFindings(teamId)).filter(({ kind }) => kind === 'unreachable')
  return new Map(found.map((finding) => [finding.serverId, toReachability(finding)]))
}

function toReachability({ since, detail, seenAt, code }: Finding): Reachability {
  const cause = causeOf(code)
  return { kind: 'unreachable', since: since.toISOString(), why: detail, seenAt: seenAt?.toISOString() ?? null, ...(cause && { cause }) }
}

/** Each domain of failing certificates is announced, and outdated sites are counted, so a service may name some thousands. */
const maxDetails: Partial<Readonly<Record<FindingKind, number>>> = { failing_certificates: 64_000, outdated_sites: 64_000 }
const maxDetail = 1000

/** Cleans the text, because it comes from a service. */
const harmless = (kind: FindingKind, text: string): string => storableText(showBidiControls(text.slice(0, maxDetails[kind] ?? maxDetail)))

type Checked = { id: string; teamId: string }

/** Asked before a write, which would wait for the lock and store nothing. */
const hasFindings = (id: string): Promise<boolean> =>
  cachedUntilWrite(`has findings ${id}`, async () => (await db().server.count({ where: { id, ...isChecked } })) > 0)

/** Writes only new, changed and resolved findings; `since` stays as long as a finding lasts. */
export async function storeFindings(server: Checked, found: Found, unreached: Unreached, now = new Date()): Promise<void> {
  const known = new Map((await readFindings(server.teamId)).flatMap((one) => (one.serverId === server.id ? [[one.kind, one]] : [])))
  for (const [kind, told] of Object.entries(found) as [FindingKind, string | null][]) {
    const detail = told === null ? null : harmless(kind, told)
    const code = kind === 'unreachable' && detail !== null ? unreached.code : null
    if (detail === (known.get(kind)?.detail ?? null) && code === (known.get(kind)?.code ?? null)) continue
    if (detail === null) await db().finding.deleteMany({ where: { serverId: server.id, kind } })
    else if (await hasFindings(server.id)) {
      const seen = kind === 'unreachable' && !known.has(kind) ? await unreached.seenAt() : null
      await upsertFinding({ serverId: server.id, kind, since: now, detail, seenAt: seen, code })
    }
  }
}
