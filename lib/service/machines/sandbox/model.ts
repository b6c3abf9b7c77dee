/** The stored model of a sandbox server: installed packages, running services and the current job. */
import * as z from 'zod'
import type { InstallLine } from '../machine'

const line = z.object({
  line: z.number(),
  step: z.string(),
  progress: z.number(),
  status: z.enum(['running', 'done', 'failed']),
  message: z.string(),
  error: z.string().exactOptional(),
}) satisfies z.ZodType<InstallLine>

const job = z.object({
  /** Milliseconds since 1970. */
  startedAtMs: z.number(),
  /** The duration of one unit of work on this server, milliseconds. */
  unitMs: z.number(),
  /** Steps that were not done when the job began; the other steps only run their probe. */
  undone: z.array(z.string()),
  /** Parts that this run leaves as it found them. */
  kept: z.array(z.object({ part: z.string(), reason: z.string() })).default([]),
  /** The step at which this run fails; null for a run that succeeds. */
  failsAt: z.string().nullable(),
  /** The domains of the sites that a run brings up to date; null for an install. */
  upgrades: z.array(z.string()).nullable().default(null),
  /** Whether such a run takes that back instead. */
  reverts: z.boolean().default(false),
  /** The packages that a run updates; null for any other run. */
  updates: z.array(z.string()).nullable().default(null),
  /** How many units of the job's timeline have passed. */
  passed: z.number(),
})

const site = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  aliases: z.array(z.string()),
  ssl: z.boolean().default(false),
  /** Kept while SSL is off. */
  certificate: z
    .object({ names: z.array(z.string()), issuedAtMs: z.number() })
    .nullable()
    .default(null),
  /** php: empty until it is chosen. */
  settings: z
    .object({
      php: z.string(),
      uploadMb: z.number(),
      memoryMb: z.number(),
      folder: z.string(),
      workers: z.number().default(10),
      waiting: z.number().default(30),
      wwwRedirect: z.boolean().default(false),
      hstsSeconds: z.number().default(0),
      mailPerHour: z.number().default(200),
    })
    .default({
      php: '',
      uploadMb: 64,
      memoryMb: 256,
      folder: '',
      workers: 10,
      waiting: 30,
      wwwRedirect: false,
      hstsSeconds: 0,
      mailPerHour: 200,
    }),
  /** The app that was installed; null if there is none. */
  app: z.object({ app: z.string(), version: z.string() }).nullable().default(null),
  /** wasOn: whether email was on once, so that there is a key. */
  mail: z
    .object({ on: z.boolean(), wasOn: z.boolean(), addresses: z.array(z.object({ user: z.string(), destination: z.string() })) })
    .default({ on: false, wasOn: false, addresses: [] }),
  /** Public keys of its user, one per line of a file. */
  keys: z.array(z.string()).default([]),
  /**
   * Of a staging copy: the id of its live site, when the newest pull ended, the tables it has by pulls, and since when files of live may differ
   * from its own.
   */
  staging: z
    .object({ of: z.string(), pulledAtMs: z.number(), tables: z.array(z.string()), filesAtMs: z.number().default(0) })
    .nullable()
    .default(null),
  /** The tag of the account that it belongs to; empty if an earlier version made it. */
  owner: z.string().default(''),
  /** Whether the present version of Gatehouse has set it up, or has brought it up to date. */
  upToDate: z.boolean().default(true),
})

const siteBackup = z.object({
  domain: z.string(),
  name: z.string(),
  bytes: z.number(),
  /** Seconds since 1970. */
  madeAt: z.number(),
  reason: z.enum(['manual', 'nightly', 'restore', 'push', 'delete']),
  /** The site as it was then; null in models from before it was kept. */
  was: site.nullable().default(null),
  /** Of the account that the site belonged to, for its last backup. */
  owner: z.string().default(''),
})

const siteJob = z.object({
  id: z.string(),
  kind: z.enum([
    'create',
    'names',
    'ssl',
    'settings',
    'app',
    'email',
    'backup',
    'restore',
    'download',
    'copy',
    'prove',
    'pull',
    'push',
    'delete',
  ]),
  /** As it will be once the job is done. */
  site,
  /** Whether the job makes a backup before something else. */
  backup: z.boolean(),
  /** The staging copy, as it will be once the job is done. */
  copy: site.nullable().default(null),
  /** The backup that the job brings back from a copy; empty for none. */
  fetched: z.string().default(''),
  /** Whether the job copies files or tables. */
  copies: z.boolean().default(true),
  /** How many files a push keeps because they changed on live. */
  kept: z.number().default(0),
  /** Whether the job makes that copy. */
  isNew: z.boolean().default(false),
  /** Whether the job orders a certificate. */
  orders: z.boolean().default(false),
  /** Aliases that a restored site gets back, and what the last line says of that. */
  aliases: z.array(z.string()).default([]),
  says: z.string().default(''),
  /** The tag of the account, of a creation and a deletion. */
  owner: z.string().default(''),
  /** Whether a new site is made of a last backup. */
  revives: z.boolean().default(false),
  /** What the job answers; empty if nothing, or if it is a backup. */
  answer: z.string().default(''),
  /** What it waits for until it starts, each from a moment on. */
  waits: z.array(z.object({ atMs: z.number(), text: z.string() })).default([]),
  startedAtMs: z.number(),
  unitMs: z.number(),
  failure: z.object({ step: z.string(), error: z.string(), problem: z.enum(['not_installed', 'unsuitable']).exactOptional() }).nullable(),
  /** When it was cancelled; null if it was not. */
  cancelledAtMs: z.number().nullable().default(null),
  /** Whether the model shows the effect of the finished job. */
  applied: z.boolean(),
})

/** Converts `22/tcp`, an older form of a rule, to UFW's form. */
const toLine = (rule: string): string =>
  /^\d+\/tcp$/.test(rule) ? `### tuple ### allow tcp ${rule.slice(0, -4)} 0.0.0.0/0 any 0.0.0.0/0 in` : rule

const model = z.object({
  version: z.literal(1),
  /** Its behaviour, derived from the name it was registered with. */
  temper: z.enum(['plain', 'slow', 'failing', 'flaky', 'lived']),
  /** The host presents another key than at registration. */
  rekeyed: z.boolean(),
  hostname: z.string(),
  ipv4: z.string(),
  ipv6: z.string(),
  timezone: z.string(),
  kernel: z.string(),
  cpu: z.string(),
  cores: z.number(),
  memoryBytes: z.number(),
  diskBytes: z.number(),
  bootedAtMs: z.number(),
  /** Installed packages: version by name. */
  packages: z.record(z.string(), z.string()),
  /** Packages with a newer version available; true for a security update. */
  upgradable: z.record(z.string(), z.boolean()),
  services: z.record(z.string(), z.enum(['running', 'stopped', 'failed'])),
  /** When a service was last restarted, ms since 1970; others run since the boot. */
  serviceStarts: z.record(z.string(), z.number()).default({}),
  /** Text by absolute path. */
  files: z.record(z.string(), z.string()),
  users: z.array(z.string()),
  /** By system user, one character per byte. Models from before crontabs were added have none. */
  crontabs: z.record(z.string(), z.string()).default({}),
  /** The stored copies of deleted jobs. */
  removedJobs: z.string().default(''),
  /** UFW's own lines for each family. Older models only had ports, and nothing for IPv6. */
  firewall: z.object({
    active: z.boolean(),
    rules: z.array(z.string().transform(toLine)),
    rules6: z.array(z.string()).default([]),
    removed: z.string().default(''),
  }),
  /** Queued mail, as Postfix prints it. */
  mailQueue: z.string().default(''),
  /** The nightly backup's files, in the output format of backups.bash. */
  backups: z.string().default(''),
  /** The outcome of the newest backup run, in the same format. */
  backupRun: z.string().default(''),
  /** The time until which everyday life has been simulated, ms since 1970; null before the install. */
  livedUntilMs: z.number().nullable().default(null),
  /** What it did by its timers, in the output format of events.bash: the newest last. */
  events: z.array(z.string()).default([]),
  rebootRequired: z.boolean(),
  /** Whether an earlier version of Gatehouse installed it, and whether its files are still of that version. */
  former: z.boolean().default(false),
  outdated: z.boolean().default(false),
  /** The numbers of installs and summaries so far, which decide when a failing or flaky server fails. */
  installs: z.number(),
  summaries: z.number(),
  /** The event file, over the whole life of the server. */
  lines: z.array(line),
  /** The newest install; finished when its whole timeline has passed. */
  job: job.nullable(),
  /** The ports of mail that were opened because email is on for a site. */
  mailPorts: z.array(z.number()).default([]),
  /** The sites, and jobs for sites until the service forgets them. */
  sites: z.array(site).default([]),
  siteJobs: z.array(siteJob).default([]),
  siteBackups: z.array(siteBackup).default([]),
  /** Archives to be downloaded, until they are deleted. */
  downloads: z.array(z.object({ jobId: z.string(), domain: z.string(), madeAtMs: z.number(), untilMs: z.number() })).default([]),
})

export type SandboxModel = z.infer<typeof model>
export type SandboxJob = z.infer<typeof job>
export type SandboxSite = z.infer<typeof site>
export type SandboxSiteJob = z.infer<typeof siteJob>

/** Parses a stored model. Throws if the text is not one. */
export function parseModel(text: string): SandboxModel {
  return model.parse(JSON.parse(text))
}

export function renderModel(machine: SandboxModel): string {
  return JSON.stringify(machine)
}
