/** What a server can do, by subject. Both providers implement it. */
import type { ServerEventKind } from '@/lib/contract/members'
import type { Problem } from '@/lib/contract/problem'
import type { Job } from '@/lib/crontab/line'
import type { Rule } from '@/lib/firewall/rule'
import type { BackupList } from './backups'
import type { CopyTarget, FolderTarget, TargetCheck } from './copy-target'
import type { KnownJob } from './crontab'
import type { QueuedMessage } from './mail-queue'
import type { Services } from './services'
import type { SiteRecords } from './site-records'
import type { Sites } from './sites'
import type { ListedRule } from './ufw'
import type { Vitals } from './vitals'

/** The first login to a server. pass is a password or a complete private key; it is used once and then discarded. */
export type FirstLogin = {
  host: string
  port: number
  user: string
  pass: string
  /** Absent: trust on first use. 'ask': key exchange only. Otherwise the fingerprint (SHA256:…) that the server must show. */
  hostKey?: string
}

/** What is stored of a server after admission. */
export type Admission = {
  hostKey: string
  publicKey: string
  /** Gatehouse's private key for this server, in OpenSSH form; encrypted before it is stored. Empty for a sandbox server. */
  privateKey: string
  ip: string
  hostname: string
  /** The sites that it has already. */
  records: SiteRecords
}

/** The part of the interface's summary that comes from the server itself. All strings; sizes are bytes as decimal strings. */
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
  /** The average of 15 minutes, such as 0.42; empty if unknown. */
  load: string
  reboot_required: boolean
  failed_units: string[]
  /** Domains whose certificate could not be renewed twice, or ends with a third of its life or less left. */
  failing_certificates: string[]
  /** Links in folders of sites that are served which belong to another user, each as DOMAIN: PATH below `public`. */
  foreign_links: string[]
  /** Whether files of the install, such as the nightly backup, are of an earlier version of Gatehouse: `upgrade` renews them. */
  outdated_server: boolean
  /** Domains of sites, and of staging copies, that an earlier version of Gatehouse set up: `upgrade` brings them up to date. */
  outdated_sites: string[]
  /** What the server did by its own timers within a week, and when it booted: the newest last, at most 30. */
  events: ServerEvent[]
  /** The parts that the install left as it found them, and why. */
  kept: KeptPart[]
  /** UFW: on or off; empty if it is not installed. */
  firewall: '' | 'on' | 'off'
}

/** id: the same each time. at: ISO. detail: a sentence, or empty. site: the domain of the site it is about, or empty. */
export type ServerEvent = { id: string; kind: ServerEventKind; at: string; outcome: 'done' | 'failed'; detail: string; site: string }

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

/** An install, bringing a server up to date, or taking that back. */
export type ServerJob = {
  /** Starts a run, or attaches to the running one. Resolves with the number of lines that preceded it. */
  start(): Promise<{ firstLine: number; attached: boolean }>
  /**
   * Lines after `afterLine` of the newest run until it ends. Reattaches after a lost connection. A run that died without a final line
   * (reboot, kill) yields one last `failed` line that names the step.
   */
  follow(afterLine: number, signal: AbortSignal): AsyncIterable<InstallLine>
}

/** partial: the system users whose crontabs are too large to list completely. */
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

/** People's system users, root and Gatehouse's login user. Throws MachineFailure invalid for names and system users that are not allowed. */
export type Users = {
  list(): Promise<string[]>
  /** Creates a system user, or changes the password of an existing one. */
  save(name: string, pass: string): Promise<void>
  /** Creates none. Throws MachineFailure changed_meanwhile if there is no such system user. */
  setPassword(name: string, pass: string): Promise<void>
  /** Deletes a system user with home and crontab. Throws MachineFailure changed_meanwhile or busy if that is impossible. */
  delete(name: string): Promise<void>
}

/**
 * The firewall. A change that might lock Gatehouse out is kept only if a new login succeeds; otherwise it is undone and MachineFailure
 * unreachable is thrown.
 */
export type Firewall = {
  get(): Promise<{ active: boolean; rules: ListedRule[] }>
  toggle(on: boolean): Promise<void>
  /**
   * Adds a rule in its families; does nothing if it exists. before: the ids of the rules to insert it before; a family without one gets
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
  /** Deletes exactly those messages; ignores ones that have left the queue meanwhile. */
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

/** The nightly backup's files on the server. */
export type Backups = {
  /** The backups, newest first, and how the newest run ended. */
  list(): Promise<BackupList>
  /** Deletes exactly those files; ignores ones that are already gone. */
  delete(names: readonly string[]): Promise<void>
}

/** All operations on a server that routes can use. Failures are thrown as MachineFailure. */
export type Machine = {
  summary(): Promise<MachineSummary>
  vitals(): Promise<Vitals>
  install: ServerJob
  /** Brings the server’s own files and its sites up to date. */
  upgrade: ServerJob
  /** Takes back the newest upgrade, where nothing was changed since. */
  revertUpgrade: ServerJob
  /** Installs all updates of packages. */
  updates: ServerJob
  /** Installs updates of security only. */
  securityUpdates: ServerJob
  services: Services
  cron: Cron
  /** Throws MachineFailure changed_meanwhile if /etc/hosts keeps changing. */
  setHostname(name: string): Promise<void>
  /**
   * Resolves just before the server goes down. Throws MachineFailure without rebooting if Gatehouse could not log in again or packages are
   * being installed.
   */
  reboot(): Promise<void>
  /** Removes a replaced Gatehouse SSH key from a user, if it still exists. */
  retireKey(user: string, publicKey: string): Promise<void>
  users: Users
  firewall: Firewall
  mail: Mail
  logs: Logs
  backups: Backups
  sites: Sites
  /** Whether copies of backups can be stored at a target, as the server sees it. Throws MachineFailure not_installed without Python or OpenSSH. */
  checkTarget(target: CopyTarget): Promise<TargetCheck>
  /** Deletes snapshots from a repository in a folder of the server. Returns how many were there. Throws MachineFailure. */
  pruneCopies(target: FolderTarget, snapshots: readonly string[]): Promise<number>
  /** Removes Gatehouse's key and files from the server. False if it could not be reached. */
  cleanUp(): Promise<boolean>
}

/** A typed failure of a server, which the service answers with its problem. */
export class MachineFailure extends Error {
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.code, options)
    this.name = 'MachineFailure'
    this.problem = problem
  }
}
