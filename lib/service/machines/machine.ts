/** What a machine can do, by subject. The real Debian machine and the sandbox make the same promises. */
import type { Problem } from '@/lib/contract/problem'
import type { Job } from '@/lib/crontab/line'
import type { Rule } from '@/lib/firewall/rule'
import type { BackupList } from './backups'
import type { KnownJob } from './crontab'
import type { QueuedMessage } from './mail-queue'
import type { ListedRule } from './ufw'

/** How a machine is reached the first time. pass is a password or a whole private key; it is used once and forgotten. */
export type FirstLogin = {
  host: string
  port: number
  user: string
  pass: string
  /** Absent: trust on first use. 'ask': key exchange only. Otherwise the SHA256:… fingerprint that must match first. */
  hostKey?: string
}

/** What is kept of a machine once it let us in. */
export type Admission = {
  hostKey: string
  publicKey: string
  /** The server's own private key in OpenSSH form; sealed before it is stored. Empty for a sandbox machine. */
  privateKey: string
  ip: string
  hostname: string
}

/** The law's summary members that come from the machine itself; all strings, sizes in bytes as decimal strings. */
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
  /** UFW: on or off; empty where there is none. */
  firewall: '' | 'on' | 'off'
}

export type KeptPart = { part: string; reason: string }

/** One line of an install, numbered from 1 over the whole life of the machine's own event file. */
export type InstallLine = {
  line: number
  step: string
  progress: number
  status: 'running' | 'done' | 'failed'
  message: string
  error?: string
}

export type InstallJob = {
  /** Starts a run, or attaches to the one that is under way. Resolves with the number of lines there were before it. */
  start(): Promise<{ firstLine: number; attached: boolean }>
  /**
   * Lines after `afterLine` of the newest run until it ends. Survives a cut connection by attaching again; a run that
   * ended without a word (reboot, kill) yields one last `failed` line that names the step.
   */
  follow(afterLine: number, signal: AbortSignal): AsyncIterable<InstallLine>
}

/** partial: the accounts of whose crontab only the beginning is listed, because there is too much of it. */
export type JobList = { jobs: KnownJob[]; partial: string[] }

/** The crontabs of all accounts. */
export type Cron = {
  list(): Promise<JobList>
  /**
   * Adds a job in front of the one whose line is `before`, or as the last; nothing where it is there already. Throws
   * MachineFailure invalid for what cron does not take, changed_meanwhile where `before` is not there.
   */
  save(user: string, job: Job, before?: string): Promise<void>
  /** Takes one line out. Throws MachineFailure changed_meanwhile where it is not there as it was. */
  delete(line: string): Promise<void>
}

/** The accounts of people, root and the account we come in by. Throws MachineFailure invalid for names and accounts that may not. */
export type Users = {
  list(): Promise<string[]>
  /** Makes an account, or gives one that is there another password. */
  save(name: string, pass: string): Promise<void>
  /** Takes an account away with its home and crontab. Throws MachineFailure changed_meanwhile or busy where it cannot go. */
  delete(name: string): Promise<void>
}

/** The firewall. What might keep us out stays only if a new login succeeds; else it is undone and MachineFailure unreachable is thrown. */
export type Firewall = {
  get(): Promise<{ active: boolean; rules: ListedRule[] }>
  toggle(on: boolean): Promise<void>
  /**
   * Adds a rule in the families it is for; nothing where it is there already. before: the ids of rules that it goes in front
   * of; a family of which none is named has it at its end. Empty: where it has to be. Throws MachineFailure invalid for its
   * opposite, changed_meanwhile where a named rule is not there.
   */
  saveRule(rule: Rule, before?: readonly string[]): Promise<void>
  /** Takes one rule out of one family. Throws MachineFailure changed_meanwhile where it is not there any more. */
  deleteRule(id: string): Promise<void>
}

/** The queue of the machine's own mail server. Throws MachineFailure not_installed where there is none. */
export type Mail = {
  /** The oldest first, and of a queue without end only so many. */
  list(): Promise<QueuedMessage[]>
  /** Takes out those messages and no other; one that went meanwhile is no failure. */
  delete(ids: readonly string[]): Promise<void>
}

/** What is written on the machine. */
export type Logs = {
  /** The last part of a log, and which logs there are. Throws MachineFailure not_installed where that one is not, invalid where it leads elsewhere. */
  read(name: string): Promise<{ names: string[]; text: string }>
}

/** The files that the nightly backup leaves on the machine. */
export type Backups = {
  /** The newest first, none where there never was one, and how the newest run ended. */
  list(): Promise<BackupList>
  /** Deletes those and no other; one that went meanwhile is no failure. */
  delete(names: readonly string[]): Promise<void>
}

/** Everything the routes may ask of a machine. Failures are thrown as MachineFailure. */
export type Machine = {
  summary(): Promise<MachineSummary>
  install: InstallJob
  cron: Cron
  /** Throws MachineFailure changed_meanwhile where somebody keeps changing the same. */
  setHostname(name: string): Promise<void>
  /** Resolves a moment before the machine goes down. Throws MachineFailure, and it keeps running, where we could not come in again or packages are being installed. */
  reboot(): Promise<void>
  /** Takes a key of ours out of a user's, where it is still there. For a key that another has taken the place of. */
  retireKey(user: string, publicKey: string): Promise<void>
  users: Users
  firewall: Firewall
  mail: Mail
  logs: Logs
  backups: Backups
  /** Takes our key and files off the machine. False when it could not be reached. */
  cleanUp(): Promise<boolean>
}

/** A typed failure of a machine: the problem is what the caller of the service learns. */
export class MachineFailure extends Error {
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.code, options)
    this.name = 'MachineFailure'
    this.problem = problem
  }
}
