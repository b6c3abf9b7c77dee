/** Copies of the backups of sandbox sites. Nothing leaves Gatehouse: the name of the bucket, host or folder decides how it ends. docs/sandbox.md */
import { createHash } from 'node:crypto'
import { type ResticFailure, resticFailure } from '../../restic/failure'
import { parseBackups } from '../backups'
import { writeCopied } from '../copied-backup'
import { copyFaults } from '../copy-faults'
import type { CopyTarget, MaintenanceCheck, TargetCheck, TargetFault } from '../copy-target'
import type { ProofCause } from '../proven-copy'
import type { SiteWork } from '../sites'
import type { SandboxModel, SandboxSiteJob } from './model'
import { backupsOf } from './site-backups'

type Copy = Extract<SiteWork, { kind: 'copy' }>

const step = 'Copy'

/** By the beginning of the name of the bucket, the host, or a folder. */
const faults = {
  'full-': 'full',
  'revoked-': 'key',
  'away-': 'unreachable',
  'changed-': 'host-key',
  'unmounted-': 'unmounted',
} as const satisfies Readonly<Record<string, TargetFault>>

/** Why the copy will fail; null if it will succeed. */
export function refuseCopy(machine: SandboxModel, work: Copy): SandboxSiteJob['failure'] {
  const { of, target } = work
  if (newestOf(machine, work) === null) {
    const error = `${none[of]} Nothing was copied.`
    return { step, problem: 'unsuitable', error }
  }
  const fault = refuseTarget(target)
  return fault === null ? null : { step, error: `The step “${step}” failed: ${fault}` }
}

const none = {
  site: 'The site has no backup yet. Create one, then copy it.',
  server: 'The server has no backup yet. It makes one every night.',
} as const satisfies Record<Copy['of'], string>

/** The newest verified backup; null without one. */
function newestOf(machine: SandboxModel, { of, site }: Copy): { name: string; bytes: number } | null {
  const found = of === 'site' ? backupsOf(machine, site) : parseBackups(machine.backups)
  return found.find(({ proven }) => proven) ?? null
}

/** Why the simulated target fails; null if it works. */
export function refuseTarget(target: CopyTarget): string | null {
  const fault = faultOf(target)
  return fault && copyFaults[fault]
}

function faultOf(target: CopyTarget): (typeof faults)[keyof typeof faults] | null {
  const names = namesOf(target)
  return Object.entries(faults).find(([beginning]) => names.some((name) => name.startsWith(beginning)))?.[1] ?? null
}

function namesOf(target: CopyTarget): string[] {
  if (target.kind === 's3') return [target.bucket]
  return target.kind === 'sftp' ? [target.host] : target.folder.split('/')
}

/** A host always shows the same key. */
export function simulateCheck(target: CopyTarget): TargetCheck {
  const fault = faultOf(target)
  if (target.kind === 'sftp' && target.hostKey === '' && fault !== 'unreachable') {
    const key = createHash('sha256').update(target.host).digest('base64').replace('=', '')
    return { kind: 'host-key', hostKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${key}` }
  }
  if (fault !== null) return { kind: 'failed', why: fault }
  const isKept = target.kind === 'sftp' && target.access === 'rclone' && !target.host.startsWith('deletes-')
  return { kind: 'passed', deletes: !isKept, overwrites: !isKept, ahead: isKept ? null : 0 }
}

/** A host that begins with “unmaintained-” refuses the maintenance key alone. */
export const simulateMaintenance = (target: CopyTarget): MaintenanceCheck =>
  namesOf(target).some((name) => name.startsWith('unmaintained-')) ? 'key' : (faultOf(target) ?? 'passed')

/** Deleting copies fails as making them does, and for the reasons that a service has when it deletes. */
export function pruneSimulated(target: CopyTarget, snapshots: readonly string[]): number {
  const fault = Object.entries(pruneFaults).find(([beginning]) => namesOf(target).some((name) => name.startsWith(beginning)))?.[1]
  if (fault !== undefined) throw resticFailure(fault)
  return snapshots.length
}

const pruneFaults = {
  'full-': 'full',
  'revoked-': 'key',
  'away-': 'unreachable',
} as const satisfies Record<string, ResticFailure>

/** By the same names, what a proof of a copy there finds. */
const found: Readonly<Record<string, ProofCause>> = {
  ...faults,
  'damaged-': 'damaged',
  'missing-': 'missing',
  'swapped-': 'other-content',
  'truncated-': 'truncated',
  'baddump-': 'dump',
  'altered-': 'differs',
  'busy-': 'load',
}

/** What the proof will answer. */
export const proofOf = ({ copy }: Extract<SiteWork, { kind: 'prove' }>): ProofCause | 'good' =>
  Object.entries(found).find(([beginning]) => namesOf(copy.target).some((name) => name.startsWith(beginning)))?.[1] ?? 'good'

/** What the copy will answer. Neither the key nor the password is stored. */
export function copyOf(machine: SandboxModel, jobId: string, work: Copy): string {
  const newest = newestOf(machine, work)
  if (!newest) return ''
  const snapshot = createHash('sha256').update(jobId).digest('hex')
  return writeCopied({ snapshot, backup: newest.name, bytes: newest.bytes * 3, added: Math.round(newest.bytes / 5), sha256: snapshot })
}
