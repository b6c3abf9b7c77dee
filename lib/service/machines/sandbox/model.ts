/** A simulated machine: what it has installed, what runs, and the job it is busy with. */
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
  /** How long one unit of work takes on this machine, milliseconds. */
  unitMs: z.number(),
  /** Steps found undone when the job began; the others are only looked at. */
  undone: z.array(z.string()),
  /** Parts that this run leaves as it found them. */
  kept: z.array(z.object({ part: z.string(), reason: z.string() })).default([]),
  /** The step at which this run breaks down; null for a run that goes well. */
  failsAt: z.string().nullable(),
  /** How much of the job's timeline has happened. */
  passed: z.number(),
})

/** `22/tcp`, as a rule was kept once, as UFW has it. */
const toLine = (rule: string): string =>
  /^\d+\/tcp$/.test(rule) ? `### tuple ### allow tcp ${rule.slice(0, -4)} 0.0.0.0/0 any 0.0.0.0/0 in` : rule

const model = z.object({
  version: z.literal(1),
  /** How it behaves, from the name it was registered by. */
  temper: z.enum(['plain', 'slow', 'failing', 'flaky', 'lived']),
  /** Shows another host key than when it was registered. */
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
  /** Packages with a newer version waiting; true where it mends a security fault. */
  upgradable: z.record(z.string(), z.boolean()),
  services: z.record(z.string(), z.enum(['running', 'stopped', 'failed'])),
  /** Text by absolute path. */
  files: z.record(z.string(), z.string()),
  users: z.array(z.string()),
  /** By account, a character per byte. Machines that were stored before there were any have none. */
  crontabs: z.record(z.string(), z.string()).default({}),
  /** What was kept of jobs that were taken out. */
  removedJobs: z.string().default(''),
  /** UFW's own lines of each family. Machines that were stored before had ports, and nothing of IPv6. */
  firewall: z.object({
    active: z.boolean(),
    rules: z.array(z.string().transform(toLine)),
    rules6: z.array(z.string()).default([]),
    removed: z.string().default(''),
  }),
  /** What waits to be sent, as Postfix prints it. */
  mailQueue: z.string().default(''),
  /** What its nightly backup left, as the script of a real machine tells it. */
  backups: z.string().default(''),
  /** How its newest run ended, told likewise. */
  backupRun: z.string().default(''),
  /** Up to when its everyday life has been told, ms since 1970; null before it is installed. */
  livedUntilMs: z.number().nullable().default(null),
  rebootRequired: z.boolean(),
  /** Installs begun and summaries asked for so far: what decides when a failing or flaky machine fails. */
  installs: z.number(),
  summaries: z.number(),
  /** The job's event file, over the whole life of the machine. */
  lines: z.array(line),
  /** The newest job; finished when its whole timeline has passed. */
  job: job.nullable(),
})

export type SandboxModel = z.infer<typeof model>
export type SandboxJob = z.infer<typeof job>

/** Reads a model as it was stored. Throws when it is not one. */
export function parseModel(text: string): SandboxModel {
  return model.parse(JSON.parse(text))
}

export function renderModel(machine: SandboxModel): string {
  return JSON.stringify(machine)
}
