/** An owner, an admin and a guest, each in a browser: a site that only the owner's own connection lists, and receivers of the owner’s messages. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { db } from '@/lib/portal/base/db'
import { openTestService } from '../service/support/service'
import { type HookReceiver, startHookReceiver } from '../support/hook-receiver'
import { type MailServer, startMailServer } from '../support/mail-server'
import { lookInto } from '../support/portal-database'
import { installWithSites, runJob } from '../support/sandbox-sites'
import { runSql } from '../support/sqlite-file'
import { type TeamVisit, visitTeam } from '../support/team-visit'

export type LendingScene = AsyncDisposable & {
  visit: TeamVisit
  /** The owner, the admin, and the guest on a phone. */
  mira: Page
  ada: Page
  gwen: Page
  /** The time on the sandbox server. While it stands, jobs there do not continue. */
  clock: SandboxClock
  /** What the service says of its newest push; undefined before there is one. */
  stateOfPush(): unknown
  /** Whether the sandbox server has begun it, which follows a moment later. */
  hasBegunPush(): boolean
  hook: HookReceiver
  mail: MailServer
  siteId: string
  /** What the guest must never be sent, by what it is: names, ids and the key. */
  foreign: Readonly<Record<string, string>>
  /** Paths that lead to what the guest does not see. */
  foreignPaths: readonly string[]
  /** All that the guest's browser was sent until now, but for scripts and styles. */
  sentToGuest(): Promise<string[]>
}

export const domain = 'kaffee.example'

const server = 'heron-1'

/** The duration of one unit of work, as of other sandbox servers. */
const paceMs = 160

type SandboxClock = { now: () => number; stop(): void; continue(): void; passUnits(count: number): void }

function makeClock(): SandboxClock {
  let behindMs = 0
  let standsAt: number | null = null
  return {
    now: () => standsAt ?? Date.now() - behindMs,
    stop() {
      standsAt = this.now()
    },
    continue() {
      if (standsAt !== null) behindMs = Date.now() - standsAt
      standsAt = null
    },
    passUnits(count) {
      if (standsAt !== null) standsAt += count * paceMs
    },
  }
}
const appActions = 'app/(portal)/sites/[siteId]/actions.ts'
const topics = 'servers,disks,certificates,backups,updates,jobs,connections,approvals,access,team,account'

export async function openLendingScene(): Promise<LendingScene> {
  const ends: (() => unknown)[] = []
  const close = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    const clock = makeClock()
    const service = await openTestService({ sandboxPaceMs: paceMs, sandboxNow: clock.now })
    ends.push(() => service[Symbol.asyncDispose]())
    const [hook, mail] = [await startHookReceiver(), await startMailServer()]
    ends.push(
      () => hook[Symbol.asyncDispose](),
      () => mail[Symbol.asyncDispose](),
    )
    const visit = await visitTeam({
      ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8',
      SMTP_URL: mail.url,
      MAIL_FROM: 'gatehouse@northwind.test',
    })
    ends.push(() => visit[Symbol.asyncDispose]())
    const look = lookInto(visit.place)
    ends.push(() => look[Symbol.asyncDispose]())
    const found = await addPlaces(visit, service.baseUrl, service.key)
    const ada = (await visit.join('Ada Marsh', 'admin')).page
    const gwen = (await visit.join('Gwen Okafor', 'guest', { viewport: { width: 390, height: 844 } })).page
    const common = { keeper: 'own', topics, quietFrom: '', quietTo: '', digestAt: '', timeZone: 'UTC' }
    for (const channel of [
      { kind: 'webhook', label: 'Pager', url: `${hook.origin}/hook` },
      { kind: 'mail', label: 'Inbox' },
    ]) {
      await visit.owner.act('app/_shared/channels/actions.ts addChannel', { ...common, ...channel })
    }
    const sentToGuest = record(gwen)
    const pushes = `SELECT "state" FROM "InstallRun" WHERE "operation" = 'apps.push'`
    const stateOfPush = () => runSql(join(service.dir, 'data', 'service.db'), pushes)[0]?.state
    const begun = `SELECT 1 FROM "SandboxState" WHERE "model" LIKE '%"kind":"push"%'`
    const hasBegunPush = () => runSql(join(service.dir, 'data', 'service.db'), begun).length > 0
    return {
      visit,
      mira: visit.page,
      ada,
      gwen,
      clock,
      stateOfPush,
      hasBegunPush,
      hook,
      mail,
      ...found,
      sentToGuest,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The site with an app and a staging copy beside another site and another server; one more server is on the connection of the team. */
async function addPlaces({ page, owner, gatehouse }: TeamVisit, address: string, apiKey: string) {
  const keys = 'app/(portal)/keys/actions.ts'
  await owner.act(`${keys} addConnection`, { label: 'Mira’s key', address, apiKey, keeper: 'own' })
  const connections = await db().connection.findMany()
  const idOf = (own: boolean) => connections.find(({ ownerId }) => (ownerId !== null) === own)?.id ?? ''
  const id = await owner.addSandbox(server, idOf(true))
  await owner.addSandbox('otter-1', idOf(true))
  await owner.addSandbox('osprey-1', idOf(false))
  await installWithSites({ page, id, owner, gatehouse }, [domain, 'otter.example'])
  await page.goto(`${gatehouse.url}/sites`)
  await page.getByText('otter.example').first().waitFor()
  const { id: siteId } = await db().site.findFirstOrThrow({ where: { domain } })
  await runJob({ page, owner, gatehouse }, `${appActions} installApp`, { siteId, app: 'wordpress' }, /^An app was installed on/)
  await runJob({ page, owner, gatehouse }, `${appActions} pullSite`, { siteId, files: '1' }, /was copied to staging\.$/)
  // The admins work with the owner's key everywhere.
  const all = { subjects: '*', effects: 'read,export,change,destroy', root: '1', where: 'everything', from: '', until: '', why: '' }
  await owner.act(`${keys} lendConnection`, { connectionId: idOf(true), to: 'role admin', ...all })
  const servers = await db().server.findMany({ where: { name: { not: server } } })
  const sites = await db().site.findMany({ where: { domain: 'otter.example' } })
  const foreign: Record<string, string> = { otter: 'otter', osprey: 'osprey', 'the API key': apiKey }
  for (const { id: own, upstreamId, ...row } of [...servers, ...sites]) {
    const name = 'name' in row ? row.name : row.domain
    Object.assign(foreign, { [`the id of ${name}`]: own, [`the service's id of ${name}`]: upstreamId })
  }
  const foreignPaths = [...servers.map((row) => `/servers/${row.id}`), ...sites.map((row) => `/sites/${row.id}/backups`)]
  return { siteId, foreign, foreignPaths }
}

function record(page: Page): () => Promise<string[]> {
  const answers: Promise<string>[] = []
  page.context().on('response', (response) => {
    const { pathname } = new URL(response.url())
    const isStream = response.headers()['content-type']?.startsWith('text/event-stream') ?? false
    if (!pathname.startsWith('/_next/static/') && !isStream) answers.push(response.text().catch(() => ''))
  })
  return () => Promise.all(answers)
}
