/** What the test upstream keeps in memory. */
import type { SentFields } from './fields'

type Row = Record<string, string>

export type UpstreamServer = {
  id: string
  name: string
  dns: string
  provider: string
  hostname: string
  host: string
  user: string
  port: string
  state: 'new' | 'installing' | 'ready' | 'failed'
  hostKey: string
  firewall: boolean
  /** Whether a rule that is saved is listed twice: for IPv4 and for IPv6. */
  families: boolean
  cronjobs: Row[]
  users: Row[]
  rules: Row[]
  messages: Row[]
  backups: Row[]
  /** Of sites that were deleted from it. */
  lastBackups: {
    name: string
    domain: string
    size: number
    created_at: string
    kept_until: string
    proven: boolean
    format: number
    lacks: string[]
    taken?: string[]
  }[]
  services: { unit: string; name: string; state: string; since: string; restarts: boolean }[]
  /** Members of its summary that are written otherwise. */
  summary: Row
  /** Members of its item in the list that are added or written otherwise. */
  listed: Record<string, unknown>
  /** Extension members of its summary that are written otherwise. */
  found: {
    failing_certificates?: string[] | undefined
    foreign_links?: string[] | undefined
    outdated_sites?: string[] | undefined
    night_run?: string | undefined
    events?: { id: string; kind: string; at: string; outcome: string; detail: string; site: string }[] | undefined
    failed_units?: string[] | undefined
    reboot_required?: boolean | undefined
    firewall?: string | undefined
  }
}

export type UpstreamStaging = {
  domain: string
  exists: boolean
  user: string
  pulled: string
  files_bytes: number
  mixed: boolean
  tables: {
    name: string
    bytes: number
    rows: number
    pulled: boolean
    changed: boolean
    partners: string[]
    related?: string[]
    private: string
  }[]
  live_changes?: { count: number; names: string[]; conflicts: string[]; noted: boolean }
  access?: { ip: string; user: string; root: string; db_name: string; db_user: string; db_host: string }
}

export type UpstreamSite = {
  id: string
  domain: string
  server: string
  ssl: boolean
  /** Kept while SSL is off. expires, issued: ISO 8601. */
  certificate: { covered: string[]; issued: string; expires: string } | null
  /** Why a certificate authority would not find one of its names, by name. */
  blocked: Record<string, string>
  /** Members of its settings that are added or written otherwise. */
  settings: Record<string, unknown>
  email: boolean
  app: { name: string; version: string; update?: string }
  /** What can be installed; undefined if the service does not tell. */
  catalogue?: { app: string; title: string; version: string }[]
  /** What it tells about its staging copy; undefined if nothing. */
  staging?: UpstreamStaging
  tables: string[]
  /** The content of its logs, by name. */
  logs: Record<string, string>
  aliases: string[]
  emails: Row[]
  /** Its SFTP keys; null if a service with extensions does not know these. */
  keys: { fingerprint: string; type: string; bits?: number; comment: string; key: string }[] | null
  /** What a service with extensions tells beside its addresses. elsewhere: email is then switched on only if asked to anyway. */
  mail: { records?: Row[]; elsewhere?: string }
  /** More: what a service with extensions adds. */
  backups: { name: string; size: number | string; date: string; created_at?: string; proven?: boolean; reason?: string; taken?: string[] }[]
  /** What a download gives: the bytes, and the address if it is another one than the service's own. */
  archive: { bytes: Buffer; elsewhere?: string }
  /** The backups that it was restored from, in order. */
  restored: { name: string; backedUpFirst: boolean }[]
  /** What a proof of its copies answers. */
  proof: { verdict: string; cause: string; reason: string }
  /** Members of its item in the list that are added or written otherwise. */
  listed: Record<string, unknown>
  /** Members of its summary that are added or written otherwise. */
  summary: Record<string, unknown>
}

export type Model = {
  extensions: boolean
  /** What a delete answers beside `success`; undefined for what fits the extensions. */
  deleteAnswer?: Record<string, unknown>
  /**
   * The lines that a service with extensions streams before it answers slow work on a site; undefined for none. lost: the last one says that
   * the outcome is not known, although the work was done. cancelled: by sites.cancel, which ends the work before its next line. until: when the work is done
   * at the earliest.
   */
  siteLines?: { steps: readonly string[]; msPerLine: number; lost?: boolean; cancelled?: boolean; until?: Promise<void> }
  /** The sites that a service with extensions finds on the next server that is added; undefined for none. */
  upgradesAtNight?: boolean
  onAdded?: { adopted: string[]; held: { domain: string; owner: string }[]; take_over: string }
  /** Whether servers are listed with their state although the service has no extensions. */
  saysState?: boolean
  /** Where the service listens; known once it does. */
  origin: string
  /** The archives that can be fetched, by path: once, by a service with extensions. */
  archives: Map<string, Buffer>
  servers: Map<string, UpstreamServer>
  sites: Map<string, UpstreamSite>
  nextId: number
}

export type ModelAnswer = { status: number; body: Record<string, unknown> }

/** Does an operation and gives the members of its answer. */
export type Handler = (fields: SentFields, model: Model) => Record<string, unknown>

/** The same, on one server or site. */
export type HandlerOf<Thing> = (thing: Thing, fields: SentFields, model: Model) => Record<string, unknown>

export const fingerprint = `SHA256:${'uPstr3am'.repeat(5)}key`

export function createModel(extensions: boolean): Model {
  return { extensions, origin: '', archives: new Map(), servers: new Map(), sites: new Map(), nextId: 1 }
}

function takeId(model: Model, prefix: string): string {
  const id = `${prefix}${model.nextId}`
  model.nextId += 1
  return id
}

/** Adds a server with one of everything. Gives its id. */
export function makeServer(model: Model, given: Partial<UpstreamServer> = {}): string {
  const id = given.id ?? takeId(model, 'srv-')
  model.servers.set(id, {
    name: `web-${id}`,
    dns: 'Cloudflare',
    provider: 'custom',
    hostname: `${id}.example.net`,
    host: '192.0.2.10',
    user: 'root',
    port: '22',
    state: 'new',
    hostKey: fingerprint,
    firewall: true,
    families: false,
    cronjobs: [{ line: '7', command: '/usr/bin/true', user: 'root', minute: '*/5', hour: '*', dom: '*', mon: '*', dow: '*' }],
    users: [{ name: 'deploy' }],
    rules: [{ id: '1', port: '22', protocol: 'tcp', v6: '', action: 'ALLOW', from: 'Anywhere' }],
    messages: [{ id: '4Xk2', size: '2048', date: '2026-11-21 10:17:00', sender: 'a@example.net', recipient: 'b@example.org' }],
    backups: [{ name: 'server-2026-11-20.tar.zst', size: '73400320' }],
    lastBackups: [],
    services: ['apache2', 'mariadb', 'ssh'].map((name) => ({
      unit: `${name}.service`,
      name,
      state: 'running',
      since: '2026-11-20T08:00:00.000Z',
      restarts: name !== 'ssh',
    })),
    summary: {},
    listed: {},
    found: {},
    ...given,
    id,
  })
  return id
}

/** Adds a site, on the first server unless another is named. Gives its id. */
export function makeSite(model: Model, given: Partial<UpstreamSite> = {}): string {
  const id = given.id ?? takeId(model, 'site-')
  model.sites.set(id, {
    domain: `${id}.example.org`,
    server: [...model.servers.keys()][0] ?? '',
    ssl: false,
    certificate: null,
    blocked: {},
    settings: {},
    email: false,
    app: { name: 'wordpress', version: '6.8.1' },
    tables: ['wp_options', 'wp_posts'],
    logs: {},
    aliases: [`www.${id}.example.org`],
    emails: [{ user: 'info', destination: 'someone@example.com' }],
    mail: {},
    keys: [],
    backups: [{ name: 'backup-1.tar.gz', size: 41943040, date: 'Nov 21 10:17' }],
    archive: { bytes: Buffer.from(`The archive of ${id}.`) },
    restored: [],
    proof: { verdict: 'good', cause: '', reason: '' },
    listed: {},
    summary: {},
    ...given,
    id,
  })
  return id
}

/** An answer of failure, raised from within a handler. */
export class Refused extends Error {
  readonly answer: ModelAnswer
  constructor(status: number, code: string, error: string) {
    super(error)
    this.answer = { status, body: { success: false, error, code } }
  }
}
