/** The operations that can run as a batch, and how each begins on one target. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import { startBackup } from '@/lib/portal/jobs/back-up'
import { startAppInstall } from '@/lib/portal/jobs/install-app'
import { startCopy } from '@/lib/portal/jobs/make-copy'
import { startProof } from '@/lib/portal/jobs/prove-copy'
import { startJob } from '@/lib/portal/jobs/start'
import type { GivenFields } from '@/lib/portal/spine/prepare-request'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { keptAlias } from '@/lib/portal/subjects/aliases/undo-delete'
import { removeAddress } from '@/lib/portal/subjects/email/delete-address'
import { runOperation } from '@/lib/portal/subjects/spine'
import { readNothing, undoableChange } from '@/lib/portal/subjects/undoable/change'
import { onSite } from '@/lib/portal/subjects/undoable/subject'
import { toReadableDomain } from '@/lib/text/idn'
import { coverNames } from './cover-names'

/** An operation that has begun: a job that decides the outcome, or if null, it is done. note: what the user should know besides. */
export type Begun = Outcome<{ jobId: string | null; note?: string }>

/** follows: another target of the same server or site begins after this one. */
type BeginOptions = RunOptions & { requestId: string; follows: boolean }

export type BatchKind = {
  operation: Operation
  targets: 'site' | 'server'
  /** What is counted. Aliases and addresses are parts of one site, which `targets` says. */
  noun: 'site' | 'server' | 'alias' | 'address'
  /** What a target that is a part of a site is called. domain: the site's. */
  nameOf?: (domain: string, fields: Readonly<Record<string, string>>) => string
  /** With % in place of "5 sites", and @ in place of the site whose parts they are. */
  title: string
  /** Another title, if the request fields of its targets make it another thing; the same form. */
  titleFor?: (fields: GivenFields) => string | undefined
  /** The names of request fields that a target may have. */
  fields: readonly string[]
  /** Running it once more does no harm, so a target whose outcome is unknown may be repeated like one that failed. */
  harmless: boolean
  begin: (actor: Actor, target: Target, fields: GivenFields, options: BeginOptions) => Promise<Begun>
  /** After the last target, if any is done; may run again after a kill. Returns what the user should know. */
  finish?: (actor: Actor, target: Target, options: { batchId: string }) => Promise<Problem | null>
}

/** Begins a slow operation as a job, and runs any other to its end. */
const beginWith =
  (operation: Operation): BatchKind['begin'] =>
  async (actor, target, fields, options) => {
    if (operation.pace === 'slow') return startJob(actor, operation, target, fields, options)
    const outcome = await runOperation(actor, operation, target, fields, options)
    return outcome.ok ? { ok: true, data: { jobId: null } } : outcome
  }

const onServers = (operation: Operation, title: string, harmless: boolean): BatchKind => {
  return { operation, targets: 'server', noun: 'server', title, harmless, fields: [], begin: beginWith(operation) }
}

const keyLeft =
  'The server was unreachable: the SSH key of Gatehouse is still in its authorized_keys, on the line that ends in “gatehouse:” and an id.'

const deleteServer: BatchKind['begin'] = async (actor, target, fields, options) => {
  const outcome = await runOperation(actor, contract.servers.delete, target, fields, options)
  if (!outcome.ok) return outcome
  return { ok: true, data: { jobId: null, ...(outcome.data.cleaned === false && { note: keyLeft }) } }
}

/** Each can be undone on its own, as if it had been deleted alone. */
const deleteAlias: BatchKind['begin'] = (actor, target, { alias }, options) => {
  const operation = contract.aliases.delete
  const name = typeof alias === 'string' ? alias : ''
  return undoableChange(actor, onSite({ siteId: target.siteId ?? '', requestId: options.requestId }), {
    operation,
    read: readNothing,
    inverse: () => keptAlias(name),
    run: () => startJob(actor, operation, target, { alias: name }, options),
  })
}

/** Each can be undone on its own, as if it had been deleted alone. */
const deleteAddress: BatchKind['begin'] = async (actor, { siteId = '' }, { user }, options) => {
  const deleted = await removeAddress(actor, { siteId, user: typeof user === 'string' ? user : '' }, options)
  return deleted.ok ? { ok: true, data: { jobId: null } } : deleted
}

/** Only members start batches: an API key has no backup targets. */
const copyBackup: BatchKind['begin'] = async (actor, { siteId = '' }, { targetId }, options) => {
  if (actor.kind !== 'user') return { ok: false, problem: problem('forbidden') }
  return startCopy(actor, { subject: { kind: 'site', id: siteId }, targetId: typeof targetId === 'string' ? targetId : '' }, options)
}

const proveCopy: BatchKind['begin'] = async (actor, { siteId = '' }, _fields, options) => {
  if (actor.kind !== 'user') return { ok: false, problem: problem('forbidden') }
  return startProof(actor, { siteId, copyId: null }, options)
}

const kinds: readonly BatchKind[] = [
  {
    operation: contract.backups.create,
    targets: 'site',
    noun: 'site',
    title: 'Back up %',
    harmless: true,
    fields: [],
    begin: (actor, { siteId = '' }, _fields, options) => startBackup(actor, siteId, options),
  },
  {
    operation: contract.copies.make,
    targets: 'site',
    noun: 'site',
    title: 'Copy the newest backup of %',
    harmless: true,
    fields: ['targetId'],
    begin: copyBackup,
  },
  {
    operation: contract.copies.prove,
    targets: 'site',
    noun: 'site',
    title: 'Prove the newest copy of %',
    harmless: true,
    fields: [],
    begin: proveCopy,
  },
  {
    operation: contract.apps.install,
    targets: 'site',
    noun: 'site',
    title: 'Install an app on %',
    harmless: false,
    fields: ['app'],
    begin: (actor, { siteId = '' }, { app }, options) =>
      startAppInstall(actor, { siteId, app: typeof app === 'string' ? app : '' }, options),
  },
  {
    operation: contract.sites.delete,
    targets: 'site',
    noun: 'site',
    title: 'Delete %',
    harmless: false,
    fields: [],
    begin: beginWith(contract.sites.delete),
  },
  {
    operation: contract.aliases.save,
    targets: 'site',
    noun: 'alias',
    nameOf: (domain, { alias = domain }) => alias,
    title: 'Add % to @',
    harmless: false,
    fields: ['alias'],
    // The aliases of a batch are one order of a certificate, with the last one.
    begin: (actor, target, { alias }, { follows, ...options }) =>
      startJob(actor, contract.aliases.save, target, { alias, more: follows ? '1' : '0' }, options),
    finish: coverNames,
  },
  {
    operation: contract.aliases.delete,
    targets: 'site',
    noun: 'alias',
    nameOf: (domain, { alias = domain }) => alias,
    title: 'Delete % of @',
    harmless: false,
    fields: ['alias'],
    begin: deleteAlias,
  },
  {
    operation: contract.email.delete,
    targets: 'site',
    noun: 'address',
    nameOf: (domain, { user = '' }) => (user.includes('@') ? user : `${user}@${toReadableDomain(domain)}`),
    title: 'Delete % of @',
    harmless: false,
    fields: ['user'],
    begin: deleteAddress,
  },
  onServers(contract.servers.summary, 'Check %', true),
  onServers(contract.servers.install, 'Install %', true),
  onServers(contract.servers.upgrade, 'Bring % up to date', true),
  {
    ...onServers(contract.servers.applyUpdates, 'Install updates on %', true),
    fields: ['security'],
    titleFor: ({ security }) => (security === '1' ? 'Install security updates on %' : undefined),
  },
  onServers(contract.servers.reboot, 'Reboot %', false),
  { ...onServers(contract.servers.delete, 'Delete %', false), begin: deleteServer },
]

const byId: ReadonlyMap<string, BatchKind> = new Map(kinds.map((kind) => [kind.operation.id, kind]))

/** Undefined for an operation that does not run as a batch. */
export const findBatchKind = (operationId: string): BatchKind | undefined => byId.get(operationId)
