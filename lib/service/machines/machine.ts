/** What a server can do, by subject. Both providers implement it. */
import type { Problem } from '@/lib/contract/problem'
import type { Job } from '@/lib/crontab/line'
import type { Rule } from '@/lib/firewall/rule'
import type { BackupList } from './backups'
import type { KnownJob } from './crontab'
import type { QueuedMessage } from './mail-queue'
import type { ListedRule } from './ufw'

/** How to reach a server for the first time. pass is a password or a whole private key; it is used once and forgotten. */
export type FirstLogin = {
  host: string
  port: number
  user: string
  pass: string
  /** Absent: trust on first use. 'ask': key exchange only. Otherwise the SHA256:… fingerprint that must match first. */
  hostKey?: string
}

/** What is stored of a server after admission. */
export type Admission = {
  hostKey: string
  publicKey: string
  /** Our private key for this server, in OpenSSH form; encrypted before it is stored. Empty for a sandbox server. */
  privateKey: string
  ip: string
  hostname: string
}

/** The summary members of the interface that come from the server itself; all strings, sizes in bytes as decimal strings. */
export type MachineSummary = {
  hostname: string
  ip: string
  ipv6: string
  webserver: string
  disk_space: string
  disk_free: string
  disk_total: string
  mem_total: string
  mem_free: string
  kernel: string
  cpu: string
  cores: string
  uptime: string
  php: string
  apache: string
  mariadb: string
  updates: string
  security_updates: string
  timezone: string
  reboot_required: boolean
  failed_units: string[]
  /** The parts that the install left as it found them, and why. */
  kept: KeptPart[]
  /** UFW: on or off; empty if it is not installed. */
  firewall: '' | 'on' | 'off'
}

export type KeptPart = { part: string; reason: string }

/** One line of an install, numbered from 1 over the whole life of the server's event file. */
export type InstallLine = {
  line: number
  step: string
  progress: number
  status: 'running' | 'done' | 'failed'
  message: string
  error?: string
}

export type InstallJob = {
  /** Starts a run, or attaches to the running one. Resolves with the number of lines that preceded it. */
  start(): Promise<{ firstLine: number; attached: boolean }>
  /**
   * Lines after `afterLine` of the newest run until it ends. Survives a cut connection by attaching again; a run that ended without a
   * final line (reboot, kill) yields one last `failed` line that names the step.
   */
  follow(afterLine: number, signal: AbortSignal): AsyncIterable<InstallLine>
}

/** partial: the system users of whose crontab only the beginning is listed, because there is too much of it. */
export type JobList = { jobs: KnownJob[]; partial: string[] }

/** The crontabs of all system users. */
export type Cron = {
  list(): Promise<JobList>
  /**
   * Adds a job before the one whose line is `before`, or as the last; does nothing if it exists. Throws MachineFailure invalid if cron
   * refuses it, changed_meanwhile if `before` does not exist.
   */
  save(user: string, job: Job, before?: string): Promise<void>
  /** Deletes one line. Throws MachineFailure changed_meanwhile if it no longer exists unchanged. */
  delete(line: string): Promise<void>
}

/** People's system users, root and the one we log in as. Throws MachineFailure invalid for names and system users that are not allowed. */
export type Users = {
  list(): Promise<string[]>
  /** Creates a system user, or changes the password of an existing one. */
  save(name: string, pass: string): Promise<void>
  /** Deletes a system user with home and crontab. Throws MachineFailure changed_meanwhile or busy if that is impossible. */
  delete(name: string): Promise<void>
}

/**
 * The firewall. A change that might lock us out stays only if a new login succeeds; else it is undone and MachineFailure unreachable
 * is thrown.
 */
export type Firewall = {
  get(): Promise<{ active: boolean; rules: ListedRule[] }>
  toggle(on: boolean): Promise<void>
  /**
   * Adds a rule in its families; does nothing if it exists. before: the ids of rules that it goes before; a family without one gets
   * it at the end. Empty: the position that makes it effective. Throws MachineFailure invalid if the opposite rule exists,
   * changed_meanwhile if a named rule does not exist.
   */
  saveRule(rule: Rule, before?: readonly string[]): Promise<void>
  /** Deletes one rule in one family. Throws MachineFailure changed_meanwhile if it no longer exists. */
  deleteRule(id: string): Promise<void>
}

/** The queue of the server's own mail server. Throws MachineFailure not_installed without one. */
export type Mail = {
  /** The oldest first, up to a limit. */
  list(): Promise<QueuedMessage[]>
  /** Deletes those messages and no others; a message that left meanwhile is not a failure. */
  delete(ids: readonly string[]): Promise<void>
}

/** The server's logs. */
export type Logs = {
  /**
   * The last part of a log, and which logs exist. Throws MachineFailure not_installed if that one does not, invalid if it is a link to
   * elsewhere.
   */
  read(name: string): Promise<{ names: string[]; text: string }>
}

/** The files that the nightly backup stores on the server. */
export type Backups = {
  /** The newest first, empty if there never was one, and how the newest run ended. */
  list(): Promise<BackupList>
  /** Deletes those and no others; a file that was deleted meanwhile is not a failure. */
  delete(names: readonly string[]): Promise<void>
}

/** Everything that routes may ask of a server. Failures are thrown as MachineFailure. */
export type Machine = {
  summary(): Promise<MachineSummary>
  install: InstallJob
  cron: Cron
  /** Throws MachineFailure changed_meanwhile if /etc/hosts keeps changing. */
  setHostname(name: string): Promise<void>
  /**
   * Resolves just before the server goes down. Throws MachineFailure, without a reboot, if we could not log in again or packages are
   * being installed.
   */
  reboot(): Promise<void>
  /** Removes a replaced SSH key of ours from a user, if it still exists. */
  retireKey(user: string, publicKey: string): Promise<void>
  users: Users
  firewall: Firewall
  mail: Mail
  logs: Logs
  backups: Backups
  /** Removes our key and files from the server. False when it could not be reached. */
  cleanUp(): Promise<boolean>
}

/** A typed failure of a server: the caller of the service gets its problem. */
export class MachineFailure extends Error {
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.code, options)
    this.name = 'MachineFailure'
    this.problem = problem
  }
}
