/** A route: a function from a decoded call to the response of its operation. */
import type { ProgressEvent } from '@/lib/contract/events'
import type { Answer, Input, OperationDefinition } from '@/lib/contract/operation'
import { problem } from '@/lib/contract/problem'
import type { AppUpdates } from '../app-updates'
import type { Background } from '../background'
import type { CertificateRules } from '../certificate-rules'
import type { LookUpMail } from '../dns'
import { Refused } from '../failure'
import type { Locks } from '../locks'
import type { CatalogueEntry } from '../machines/apps/entry'
import type { Fleet } from '../machines/fleet'
import type { Machine } from '../machines/machine'
import type { AppFacts, NameCheck, SiteFacts, SiteOnHost, Sites } from '../machines/sites'
import type { StagingFacts } from '../machines/staged'
import type { Summaries } from '../machines/summaries'
import type { SiteTraffic } from '../machines/traffic'
import type { Vitals } from '../machines/vitals'
import type { MailFindings } from '../mail-records'
import type { Reboots } from '../reboots'
import type { Runs } from '../runs/runs'
import type { ServerRuns } from '../runs/server-runs'
import type { SiteRuns, WantedRun } from '../runs/site-runs'
import type { SlowWork } from '../runs/slow-work'
import type { Shared } from '../shared'
import type { SiteChecks } from '../site-checks'
import { findMachine, type MachineRow } from '../store/machines'
import { findNewestSiteRun } from '../store/site-runs'
import { findSite, onHost } from '../store/sites'
import type { Store } from '../store/store'

/** Everything a route may use. */
export type Service = {
  store: Store
  fleet: Fleet<MachineRow>
  runs: Runs
  serverRuns: ServerRuns
  siteRuns: SiteRuns
  certificateRules: CertificateRules
  siteChecks: SiteChecks
  /** Facts of single sites, by id; undefined for a site that is not on its server. */
  siteFacts: Shared<SiteFacts | undefined>
  /** Whether the names of single sites can be reached, by id. */
  nameChecks: Shared<NameCheck[]>
  /** The apps of single sites, by id. */
  appFacts: Shared<AppFacts>
  /** What can be pulled from single sites, and pushed to them, by id. */
  stagingFacts: Shared<StagingFacts>
  appUpdates: AppUpdates
  /** The apps that can be installed. */
  catalogue: readonly CatalogueEntry[]
  lookUpMail: LookUpMail
  /** What DNS says about mail of single sites, by id. */
  mailChecks: Background<MailFindings>
  summaries: Summaries
  /** The current usage of single servers, by id. */
  vitals: Shared<Vitals>
  /** The requests of single sites, by id. */
  traffic: Shared<SiteTraffic>
  /** Serializes the changes of each server. */
  locks: Locks
  reboots: Reboots
}

export type Call<O extends OperationDefinition> = {
  service: Service
  accountId: string
  input: Input<O>
  /** The header as sent; null when absent. */
  lastEventId: string | null
  /** Aborted when the caller disconnects. */
  gone: AbortSignal
}

/** null: the client has seen the last event. */
type RouteResult<O extends OperationDefinition> = O extends { stream: true }
  ? AsyncIterable<ProgressEvent> | null
  : O extends { pace: 'slow' }
    ? SlowWork
    : Answer<O>

type Handler<O extends OperationDefinition> = (call: Call<O>) => Promise<RouteResult<O>>

/** The handlers of one subject; a missing handler is a compile error. */
export type SubjectRoutes<Subject extends Record<string, OperationDefinition>> = { [Verb in keyof Subject]: Handler<Subject[Verb]> }

/** The reasons why fields are refused, by name; null for a valid field. */
export type Refusals = Readonly<Record<string, string | null>>

/**
 * Checks that the contract's limits cannot express: combinations of fields, or facts that only the service knows. The handler runs only
 * if none of them refuses the input.
 */
export type SubjectChecks<Subject extends Record<string, OperationDefinition>> = {
  readonly [Verb in keyof Subject]?: (input: Input<Subject[Verb]>) => Refusals
}

/** What callers may also write, in the words of the contract: rewrites the input before its limits are checked. */
export type SubjectReadings<Subject extends Record<string, OperationDefinition>> = {
  readonly [Verb in keyof Subject]?: (call: Call<Subject[Verb]>) => Promise<Input<Subject[Verb]>>
}

type ServerCall = { service: Service; accountId: string; input: { server_id: string } }

/** The caller's server. Throws Refused not_found if there is none with that id or it belongs to another account. */
export async function requireMachine(call: ServerCall): Promise<MachineRow> {
  const machine = await findMachine(call.service.store, call.accountId, call.input.server_id)
  if (!machine) throw new Refused(problem('not_found'))
  return machine
}

/** The caller's site, with its server. Throws Refused not_found if there is none with that id or it belongs to another account. */
export async function requireSite(call: { service: Service; accountId: string; input: { site_id: string } }) {
  const site = await findSite(call.service.store, call.accountId, call.input.site_id)
  if (!site) throw new Refused(problem('not_found'))
  return site
}

/** The same for a site that can be changed. Throws Refused busy too. */
export async function requireReadySite(call: Parameters<typeof requireSite>[0]) {
  const site = await requireSite(call)
  if (site.state === 'ready' && !site.deleting) return site
  throw new Refused(problem('busy', { sentence: 'The site is not ready. Wait, or check it.' }))
}

/** Makes one change of a server at a time. */
export async function changeSite(
  call: Parameters<typeof requireSite>[0],
  change: (sites: Sites, site: SiteOnHost) => Promise<void>,
): Promise<Record<never, never>> {
  const { machine } = await requireSite(call)
  await call.service.locks.hold(machine.id, async () => {
    const site = await requireReadySite(call)
    await change(call.service.fleet.machine(site.machine).sites, onHost(site))
  })
  return {}
}

export const noSuchRun = problem('no_install', { sentence: 'There is no such work on this site to follow.' })

/**
 * Slow work of a site: started, or found again for a client that comes back with the number of the last event it has seen.
 * about: the name that the work is about, if it is not the site's domain.
 */
export async function followOrStart(
  call: Parameters<typeof requireSite>[0] & { lastEventId: string | null },
  wanted: WantedRun,
  start: (machine: MachineRow) => Promise<SlowWork>,
): Promise<SlowWork> {
  const { machine } = await requireSite(call)
  return followOrBegin(call, machine, call.input.site_id, wanted, () => start(machine))
}

/** The same for what the caller has found already. subjectId: of the site, or of the server for work on its own backups. */
export async function followOrBegin(
  { service, accountId, lastEventId }: { service: Service; accountId: string; lastEventId: string | null },
  machine: MachineRow,
  subjectId: string,
  { operation, about }: WantedRun,
  start: () => Promise<SlowWork>,
): Promise<SlowWork> {
  if (lastEventId === null) return start()
  const which = { operation, siteId: subjectId, ...(about !== undefined && { domain: about }) }
  const run = await findNewestSiteRun(service.store, accountId, which)
  if (!run) throw new Refused(noSuchRun)
  return service.siteRuns.resume(machine, run, parseEventId(lastEventId))
}

/** The number of the last event that the reader has seen. Throws Refused invalid if the text cannot be an event id. */
export function parseEventId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Refused(problem('invalid', { sentence: 'Last-Event-ID is not the number of an event.' }))
}

/** Makes one change of a server at a time. Throws Refused not_found if the server was deleted during the wait. */
export async function changeMachine(call: ServerCall, work: (machine: Machine) => Promise<void>): Promise<Record<never, never>> {
  const { id } = await requireMachine(call)
  await call.service.locks.hold(id, async () => work(call.service.fleet.machine(await requireMachine(call))))
  return {}
}
