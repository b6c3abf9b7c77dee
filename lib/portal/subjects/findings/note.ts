/** Turns reads by users and checks by the sampler into findings. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Answer, Operation } from '@/lib/contract/operation'
import { changesSomething } from '@/lib/contract/policy'
import type { Outcome } from '@/lib/contract/problem'
import { placeOfFailure } from '@/lib/contract/reachability'
import { storableText } from '@/lib/database/values'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { showBidiControls } from '@/lib/text/bidi'
import { findCheckedAt } from '../samples/store'
import { detailOfFailing } from './failing-certificates'
import { type Found, storeFindings } from './findings'
import { noteNightRun } from './night-runs'
import { noteServerEvents } from './server-events'

/** connectionId: the connection that was asked. */
type Noted = { connectionId: string; operation: Operation; fields: Readonly<Record<string, unknown>>; outcome: Outcome<unknown> }

type Summary = Answer<typeof contract.servers.summary>

/** Never fails, because the answer matters more than its findings. */
export async function noteCheck(server: { id: string; teamId: string }, noted: Noted): Promise<void> {
  if (!noted.operation.path.includes('{server_id}')) return
  try {
    const code = noted.outcome.ok ? null : noted.outcome.problem.code
    await storeFindings(server, findingsOf(noted), { seenAt: () => findSeenAt(server.id), code })
    noteSummaryOf(server.id, noted)
  } catch (error) {
    log.error({ err: error, serverId: server.id }, 'the findings of a check could not be stored')
  }
}

const maxId = 100
const [maxEvents, maxDetail, maxDomain] = [30, 400, 253]

/** What becomes jobs. The text comes from a service. */
function noteSummaryOf(serverId: string, { operation, outcome, connectionId }: Noted): void {
  if (operation.id !== contract.servers.summary.id || !outcome.ok) return
  const item = (outcome.data as Summary).item[0]
  const run = item.night_run
  if (run && run.length <= maxId) noteNightRun({ serverId, connectionId, run: storableText(run) })
  const clean = (text: string, limit: number) => storableText(showBidiControls(text.slice(0, limit)))
  const events = (item.events ?? []).slice(-maxEvents).flatMap(({ id, at, detail, site, ...rest }) => {
    const named = { id: storableText(id), detail: clean(detail, maxDetail), site: clean(site, maxDomain) }
    return id.length <= maxId ? [{ ...rest, ...named, at: new Date(at) }] : []
  })
  if (events.length > 0) noteServerEvents({ serverId, connectionId, events })
}

/** A change may fail for other reasons: only a failed read shows that the server is unreachable. */
function findingsOf({ operation, fields, outcome }: Noted): Found {
  if (!outcome.ok) {
    const atServer = !changesSomething(operation) && placeOfFailure(outcome.problem) === 'server'
    return atServer ? { unreachable: outcome.problem.sentence } : {}
  }
  if (operation.id === contract.firewall.toggle.id) return { firewall_off: ['1', 'true'].includes(String(fields.status)) ? null : '' }
  if (operation.effect !== 'read') return {}
  if (operation.id === contract.servers.summary.id) return { unreachable: null, ...findingsOfSummary(outcome.data as Summary) }
  return { unreachable: null, ...(operation.id === contract.firewall.get.id && findingsOfFirewall(outcome.data)) }
}

/** Members that a service omits say nothing. */
function findingsOfSummary({ item: [item] }: Summary): Found {
  const {
    failed_units: failed,
    failing_certificates: failing,
    foreign_links: links,
    outdated_sites: outdated,
    reboot_required: reboot,
    security_updates: updates,
    firewall,
  } = item
  return {
    ...(failed && { failed_units: failed.length > 0 ? failed.join(', ') : null }),
    ...(failing && { failing_certificates: detailOfFailing(failing) }),
    ...(links && { foreign_links: links.length > 0 ? links.join(', ') : null }),
    ...(outdated && { outdated_sites: outdated.length > 0 ? outdated.toSorted().join(', ') : null }),
    ...(reboot !== undefined && { reboot_required: reboot ? '' : null }),
    ...(/^\d{1,6}$/.test(updates) && { security_updates: Number(updates) > 0 ? updates : null }),
    ...(firewall !== undefined && { firewall_off: firewall === 'off' ? '' : null }),
  }
}

/** Inactive and without rules may mean that the server uses another firewall, which the summary reports. */
function findingsOfFirewall(data: unknown): Found {
  const { active, rules } = data as Answer<typeof contract.firewall.get>
  if (active) return { firewall_off: null }
  return rules.length > 0 ? { firewall_off: '' } : {}
}

/** The newest check that reached the server, including ones not stored yet. */
async function findSeenAt(serverId: string): Promise<Date | null> {
  const newest = await db().sample.findFirst({ where: { serverId, reachable: true }, orderBy: { at: 'desc' }, select: { at: true } })
  const [stored, looked] = [newest ? newest.at * 60_000 : 0, findCheckedAt(serverId) ?? 0]
  const seen = Math.max(stored, looked)
  return seen > 0 ? new Date(seen) : null
}
