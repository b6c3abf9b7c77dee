/** The only access to the environment: parses every setting once, with a sentence for each error. docs/running.md lists them. */
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { type BackupSettings, backupVariables, parseBackup } from './backup'
import { type CertificateAuthority, certificateAuthorityVariables, parseCertificateAuthority } from './certificate-authority'
import { isSameDatabase, type PostgresqlAddress, parseListen, parsePostgresql } from './database'
import { parseDnsServers } from './dns-servers'
import { isLoopback } from './loopback'
import { type MailSettings, parseMail } from './mail'
import { describeMisspelt } from './misspelt'
import { parseRanges, type Range } from './ranges'
import { parseSingleSignOn, type SingleSignOnSettings, singleSignOnVariables } from './single-sign-on'

const port = z.coerce.number().int().min(1).max(65535)
const httpUrl = z.url({ protocol: /^https?$/ }).transform((value) => new URL(value))

/** How many seconds the portal waits for a service. */
const patience = (usual: number) => z.coerce.number().int().min(5).max(600).default(usual)

const environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(3000),
  SERVICE_PORT: port.default(4000),
  GATEHOUSE_DATA: z.string().min(1).default('./data'),
  GATEHOUSE_KEYS: z.string().min(1).default('./keys'),
  GATEHOUSE_KEK: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  DATABASE_PASSWORD_FILE: z.string().min(1).optional(),
  DATABASE_LISTEN_URL: z.string().optional(),
  SERVICE_DATABASE_URL: z.string().optional(),
  SERVICE_DATABASE_PASSWORD_FILE: z.string().min(1).optional(),
  PUBLIC_URL: httpUrl.optional(),
  UPSTREAM_URL: httpUrl.optional(),
  SERVICE_KEY_FILE: z.string().min(1).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_PASSWORD_FILE: z.string().min(1).optional(),
  MAIL_FROM: z.string().min(3).max(320).optional(),
  ...singleSignOnVariables,
  TRUSTED_PROXIES: z.string().default(''),
  DNS_SERVERS: z.string().default(''),
  ...certificateAuthorityVariables,
  APPS_FOLDER: z.string().min(1).optional(),
  APP_UPDATES: z.url({ protocol: /^https?$/ }).optional(),
  METRICS_PORT: port.optional(),
  ...backupVariables,
  SAMPLE_SECONDS: z.coerce
    .number()
    .int()
    .refine((value) => value === 0 || (value >= 2 && value <= 3600), 'give 0 or a number from 2 to 3600')
    .default(300),
  READ_SECONDS: patience(30),
  CHANGE_SECONDS: patience(60),
  JOB_HOURS: z.coerce.number().int().min(1).max(168).default(12),
  ALLOW_PLAIN_HTTP: z.enum(['0', '1']).default('0'),
  ALLOW_PRIVATE_UPSTREAMS: z.string().default(''),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
})

export type Settings = {
  /** The address that the portal listens on. */
  host: string
  port: number
  /** The bundled service, always on 127.0.0.1. */
  servicePort: number
  /** Absolute paths. The portal's database and key files never share a folder with the service's. */
  portalDatabase: string
  serviceDatabase: string
  /** The databases on PostgreSQL that are used instead of these files; null for the files. */
  portalPostgresql: PostgresqlAddress | null
  servicePostgresql: PostgresqlAddress | null
  /** The portal's database without a pooler before it, for the one connection that stays; null if portalPostgresql has none. */
  portalListen: PostgresqlAddress | null
  /** The file for the signed heads of the portal's audit log. */
  portalAuditHeads: string
  /** Where a portal on PostgreSQL notes by which name the others know it. */
  portalIdFile: string
  dataDir: string
  keysDir: string
  portalKekFile: string
  /** The previous key, as long as values may be encrypted under it. */
  portalOldKekFile: string
  sessionSecretFile: string
  serviceKekFile: string
  /** Like portalOldKekFile. */
  serviceOldKekFile: string
  /** The portal's key-encryption key if it comes from the environment instead of a file: base64 of 32 bytes. */
  kekFromEnvironment: string | null
  /** The address at which users reach the portal; the origin of requests must match it. */
  publicUrl: URL
  /** True when the public address is https: cookies are then Secure and carry the __Host- prefix. */
  secureCookies: boolean
  /** Another service that is used instead of the bundled one, which is then not started. */
  upstreamUrl: URL | null
  /** A file with an API key of the bundled service, for a portal that is started on its own. Read if the portal has no working key. */
  serviceKeyFile: string | null
  /** The mail server; null if Gatehouse sends no mail. */
  mail: MailSettings | null
  /** The identity provider; null without single sign-on. */
  singleSignOn: SingleSignOnSettings | null
  /** The proxies whose X-Forwarded-For is trusted; none if empty. */
  trustedProxies: readonly Range[]
  /** The DNS resolvers that the service asks about sites; the system's own if empty. */
  dnsServers: readonly string[]
  /** Where the service gets certificates for sites. */
  certificateAuthority: CertificateAuthority
  /** A folder with further apps for sites; empty for none. */
  appsFolder: string
  /** Where the service asks for updates of apps instead of their own addresses; empty for these. */
  appUpdates: string
  /** The port for metrics on 127.0.0.1; null for none. */
  metricsPort: number | null
  /** Scheduled backups of Gatehouse itself; null for none. */
  backup: BackupSettings | null
  /** The interval at which the portal checks each server; null for never. */
  sampleEveryMs: number | null
  /** How long a service may take for a read, for a quick change, and for a job such as an install. */
  readMs: number
  changeMs: number
  jobMs: number
  /** Hosts or CIDR ranges that connections may use although they are private. */
  allowedPrivateUpstreams: readonly string[]
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** What systemd expects of this process; null unless it started it in a unit with Type=notify. watchdogMs: a sign of life at least this often. */
  notify: { watchdogMs: number | null } | null
}

/** Settings are invalid; the message is one line for the operator about the first of them. all: such a line for each that was found. */
export class SettingsError extends Error {
  constructor(readonly all: readonly string[]) {
    super(all[0])
  }
}

const describeIssue = ({ path, code, message, ...issue }: z.core.$ZodIssue): string =>
  `${path.join('.') || 'A setting'} is invalid: ${code === 'invalid_type' && 'expected' in issue ? `a ${issue.expected} is needed` : message}.`

const listOf = (value: string): string[] => value.split(/[\s,]+/).filter(Boolean)

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(environment.shape)

/** Parses an environment. Throws SettingsError. What does not fit together is found once each setting is valid. */
export function parseSettings(env: Record<string, string | undefined>, cwd: string): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) throw new SettingsError(parsed.error.issues.map(describeIssue))
  const value = parsed.data
  const at = (folder: string, ...rest: string[]) => resolve(isAbsolute(folder) ? folder : resolve(cwd, folder), ...rest)
  const faults: string[] = []
  /** What was parsed; what it returns for something invalid is not used, because faults are thrown before. */
  const valid = <T>(outcome: T | { invalid: string }): T => {
    if (typeof outcome === 'object' && outcome !== null && 'invalid' in outcome) faults.push(outcome.invalid)
    return outcome as T
  }
  const dataDir = at(value.GATEHOUSE_DATA)
  const keysDir = at(value.GATEHOUSE_KEYS)
  if (dataDir === keysDir || keysDir.startsWith(`${dataDir}/`) || dataDir.startsWith(`${keysDir}/`)) {
    faults.push('GATEHOUSE_KEYS and GATEHOUSE_DATA must be two folders, neither inside the other.')
  }
  const publicUrl = value.PUBLIC_URL ?? new URL(`http://localhost:${value.PORT}`)
  const secureCookies = publicUrl.protocol === 'https:'
  if (!secureCookies && !isLoopback(publicUrl) && value.ALLOW_PLAIN_HTTP !== '1') {
    faults.push('PUBLIC_URL is plain http and not this machine: use https, or set ALLOW_PLAIN_HTTP=1 to accept unencrypted passwords.')
  }
  const trustedProxies = valid(parseProxies(value.TRUSTED_PROXIES))
  const dnsServers = valid(parseDnsServers(listOf(value.DNS_SERVERS)))
  const certificateAuthority = valid(parseCertificateAuthority(value, at))
  const mail = valid(parseMail(value, at))
  const singleSignOn = valid(parseSingleSignOn(value, at))
  const portalPostgresql = valid(parsePostgresql(value, 'DATABASE', at))
  const servicePostgresql = valid(parsePostgresql(value, 'SERVICE_DATABASE', at))
  const portalListen = valid(parseListen(value, at))
  if (isSameDatabase(portalPostgresql, servicePostgresql)) {
    faults.push('DATABASE_URL and SERVICE_DATABASE_URL name the same database: portal and service need one each.')
  }
  const backup = valid(parseBackup(value, [dataDir, keysDir]))
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') faults.push('NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off. Unset it.')
  if (faults.length > 0) throw new SettingsError(faults)
  return {
    host: value.HOST,
    port: value.PORT,
    servicePort: value.SERVICE_PORT,
    dataDir,
    keysDir,
    portalDatabase: at(dataDir, 'portal', 'portal.db'),
    serviceDatabase: at(dataDir, 'service', 'service.db'),
    portalPostgresql,
    servicePostgresql,
    portalListen,
    portalAuditHeads: at(dataDir, 'portal', 'audit-heads'),
    portalIdFile: at(dataDir, 'portal', 'portal-id'),
    portalKekFile: at(keysDir, 'portal', 'kek.key'),
    portalOldKekFile: at(keysDir, 'portal', 'kek.old.key'),
    sessionSecretFile: at(keysDir, 'portal', 'session.key'),
    serviceKekFile: at(keysDir, 'service', 'kek.key'),
    serviceOldKekFile: at(keysDir, 'service', 'kek.old.key'),
    kekFromEnvironment: value.GATEHOUSE_KEK ?? null,
    publicUrl,
    secureCookies,
    upstreamUrl: value.UPSTREAM_URL ?? null,
    serviceKeyFile: value.SERVICE_KEY_FILE === undefined ? null : at(value.SERVICE_KEY_FILE),
    mail,
    singleSignOn,
    trustedProxies,
    dnsServers,
    certificateAuthority,
    appsFolder: value.APPS_FOLDER === undefined ? '' : at(value.APPS_FOLDER),
    appUpdates: value.APP_UPDATES ?? '',
    metricsPort: value.METRICS_PORT ?? null,
    backup,
    sampleEveryMs: value.SAMPLE_SECONDS === 0 ? null : value.SAMPLE_SECONDS * 1000,
    readMs: value.READ_SECONDS * 1000,
    changeMs: value.CHANGE_SECONDS * 1000,
    jobMs: value.JOB_HOURS * 3_600_000,
    allowedPrivateUpstreams: listOf(value.ALLOW_PRIVATE_UPSTREAMS),
    logLevel: value.LOG_LEVEL,
    notify: env.NOTIFY_SOCKET ? { watchdogMs: Number(env.WATCHDOG_USEC) > 0 ? Number(env.WATCHDOG_USEC) / 1000 : null } : null,
  }
}

function parseProxies(text: string): readonly Range[] | { invalid: string } {
  const ranges = parseRanges(listOf(text))
  if (!('notARange' in ranges)) return ranges
  return { invalid: `TRUSTED_PROXIES is invalid: ${ranges.notARange} is not an address or a range like 10.0.0.0/8.` }
}

// Each of Next's route bundles loads a copy of this module, so the settings are stored on the process and parsed once.
const holder: { gatehouseSettings?: Settings } = globalThis as object

/** This process's settings, parsed at first use, which also removes the key-encryption key from the environment. */
export function getSettings(): Settings {
  holder.gatehouseSettings ??= parseSettings(process.env, process.cwd())
  delete process.env.GATEHOUSE_KEK
  return holder.gatehouseSettings
}

/** What programs that this process runs may know of its environment: none of the settings, because they may contain a master key. */
export function programEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, LANG, LC_ALL, TZ, TMPDIR } = process.env
  return { PATH, HOME, LANG, LC_ALL, TZ, TMPDIR }
}

/** One sentence for each variable of this process's environment that looks like a setting but is none. */
export const findMisspelt = (): string[] => describeMisspelt(process.env, settingNames)
