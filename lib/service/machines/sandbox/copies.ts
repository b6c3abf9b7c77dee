/** Copies of the backups of sandbox sites. Nothing leaves Gatehouse: the name of the bucket decides how it ends. docs/sandbox.md */
import { createHash } from 'node:crypto'
import { writeCopied } from '../copied-backup'
import type { ProofCause } from '../proven-copy'
import type { CopyTarget, SiteWork } from '../sites'
import type { SandboxModel, SandboxSiteJob } from './model'
import { backupsOf } from './site-backups'

type Copy = Extract<SiteWork, { kind: 'copy' }>

const step = 'Copy'

/** By the beginning of the bucket's name. */
const faults = {
  'full-': 'The target is full.',
  'revoked-': 'The target doesn’t accept the server key. Replace the keys of the target.',
  'away-': 'The server can’t reach the target.',
} as const

/** Why the copy will fail; null if it will succeed. */
export function refuseCopy(machine: SandboxModel, { site, target }: Copy): SandboxSiteJob['failure'] {
  if (backupsOf(machine, site).length === 0) {
    const error = 'The site has no backup yet. Create one, then copy it. Nothing was copied.'
    return { step, problem: 'unsuitable', error }
  }
  const fault = refuseTarget(target)
  return fault === null ? null : { step, error: `The step “${step}” failed: ${fault}` }
}

/** Why the simulated target fails; null if it works. */
export const refuseTarget = ({ bucket }: CopyTarget): string | null =>
  Object.entries(faults).find(([beginning]) => bucket.startsWith(beginning))?.[1] ?? null

/** By the beginning of the bucket's name, what a proof of a copy there finds; those of `faults` too. */
const found: Readonly<Record<string, ProofCause>> = {
  'damaged-': 'damaged',
  'missing-': 'missing',
  'swapped-': 'other-content',
  'truncated-': 'truncated',
  'baddump-': 'dump',
  'changed-': 'differs',
  'busy-': 'load',
  'full-': 'full',
  'revoked-': 'key',
  'away-': 'unreachable',
}

/** What the proof will answer. */
export const proofOf = ({ copy }: Extract<SiteWork, { kind: 'prove' }>): ProofCause | 'good' =>
  Object.entries(found).find(([beginning]) => copy.target.bucket.startsWith(beginning))?.[1] ?? 'good'

/** What the copy will answer. Neither the key nor the password is stored. */
export function copyOf(machine: SandboxModel, jobId: string, { site }: Copy): string {
  const [newest] = backupsOf(machine, site)
  if (!newest) return ''
  const snapshot = createHash('sha256').update(jobId).digest('hex')
  return writeCopied({ snapshot, backup: newest.name, bytes: newest.bytes * 3, added: Math.round(newest.bytes / 5), sha256: snapshot })
}
