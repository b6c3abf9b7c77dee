/** Adds, tests, renames and removes backup targets, and replaces their credentials. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { type Keeper, mayKeep } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { inTransaction } from '@/lib/portal/base/transaction'
import { openBackupTarget, sealBackupTarget } from '@/lib/portal/custody/backup-target'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { type Recheck, runRecorded } from '@/lib/portal/spine/recorded'
import { refuseFields } from '@/lib/portal/spine/refuse-fields'
import type { BackupTarget } from '@/prisma/generated/portal/client'
import { formatAddress, readAddress, type SftpAccess, type TargetAddress, type TargetKind, writeAddress } from './address'
import type { CheckResult } from './check'
import { checkTarget, findUnconfirmed, type ShownHostKey } from './check-target'
import { describeFinding, describeProblem, refusalOf } from './check-words'
import { findGoverned, findKept, formatKeeper, keeperOf } from './find'
import { fingerprintOf, readAccess, readKeys, readKind, readTarget, refuseLabel } from './form'

const maxTargets = 20

/**
 * findings: what a server that is broken into could do to its copies, as sentences. hostKey: nothing was stored, because the member has to confirm
 * this one first.
 */
export type TargetTested = { label: string; findings: readonly string[]; hostKey?: ShownHostKey }

const changedMeanwhile = { ok: false, problem: problem('changed_meanwhile') } as const

/** Fields: keeper ("own" or "team"), label, serverId of the server that tests (not for a bucket), those of form.ts, and a proof if the sign-in is not recent. Stored only if its test succeeds. */
export async function addBackupTarget({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<TargetTested>> {
  const action = 'backupTarget.add'
  const keeper: Keeper = field('keeper') === 'team' ? 'team' : 'own'
  if (!mayKeep(actor.role, keeper)) {
    await recordDenied(actor, action, { kind: 'team', id: actor.team.id }, 'forbidden')
    return { ok: false, problem: problem('forbidden', { sentence: formatKeeper(keeper) }) }
  }
  const [label, kind, serverId] = [field('label').trim(), readKind(field), field('serverId')]
  const [named, address, keys] = [refuseFields({ label: refuseLabel(label) }), readTarget(kind, field), readKeys(kind, field)]
  if (named) return { ok: false, problem: named }
  if (!address.ok) return address
  if (!keys.ok) return keys
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const [teamId, ownerId] = [actor.team.id, keeper === 'team' ? null : actor.user.id]
  const shown = await findUnconfirmed(actor, { serverId, target: { ownerId, label }, address: address.data })
  if (shown) return shown
  const identity = { id: createOpaqueId(), teamId, ownerId, kind, address: writeAddress(address.data), secretVersion: 1 } as const
  return record(actor, action, requestId, { ...identity, label }, async (recheck) => {
    const target = { ...identity, label }
    const checked = await checkTarget(actor, { serverId, target, address: address.data, keys: keys.data })
    if (!checked.ok) return checked
    const result = checked.data
    const refused = refuseFailed(result, kind)
    if (refused) return refused
    // The target decides how long its answers take.
    const still = await recheck()
    if (!still.ok) return still
    const sealed = await sealBackupTarget(identity, keys.data)
    return inTransaction(async (tx) => {
      await tx.backupTarget.create({ data: { ...identity, label, ...sealed, ...checkedNow(result) } })
      const [many, named] = await Promise.all([
        tx.backupTarget.count({ where: { teamId, ownerId } }),
        tx.backupTarget.count({ where: { teamId, ownerId, label } }),
      ])
      if (named > 1) return { ok: false, problem: taken }
      if (many > maxTargets) return { ok: false, problem: tooMany }
      return { ok: true, data: { label, findings: result.findings.map(describeFinding) } }
    })
  })
}

const taken = problem('invalid', { fields: { label: 'Another backup target has this name. Choose a different one.' } })
const tooMany = problem('forbidden', { sentence: `There are ${maxTargets} backup targets already. Remove one first.` })

/** Fields: targetId; serverId of the server that tests, empty to test a bucket from Gatehouse. What it found is stored, also that it failed; problem: why, as a sentence, or empty. */
export async function testBackupTarget({ actor, requestId, field }: OwnInput): Promise<Outcome<TargetTested & { problem: string }>> {
  const action = 'backupTarget.test'
  const found = await findKept(actor, action, field('targetId'))
  if (!found.ok) return found
  const { id, label, secretVersion } = found.data
  const serverId = field('serverId')
  if (found.data.frozenAt) return { ok: false, problem: frozen }
  return record(actor, action, requestId, found.data, async () => {
    const keys = await openBackupTarget(found.data)
    if (!keys) return { ok: false, problem: problem('key_locked') }
    const checked = await checkTarget(actor, { serverId, target: found.data, address: readAddress(found.data), keys })
    if (!checked.ok) return checked
    const result = checked.data
    const { count } = await db().backupTarget.updateMany({ where: { id, secretVersion }, data: checkedNow(result) })
    return count === 1
      ? {
          ok: true,
          data: { label, findings: result.findings.map(describeFinding), problem: result.problem ? describeProblem(result.problem) : '' },
        }
      : changedMeanwhile
  })
}

const frozen = problem('forbidden', { sentence: 'This target is frozen. Its owner can use it again from its menu.' })

/** Fields: targetId, label. */
export async function renameBackupTarget({ actor, requestId, field }: OwnInput): Promise<Outcome<{ label: string }>> {
  const action = 'backupTarget.rename'
  const found = await findKept(actor, action, field('targetId'))
  if (!found.ok) return found
  const label = field('label').trim()
  const refused = refuseFields({ label: refuseLabel(label) })
  if (refused) return { ok: false, problem: refused }
  const { id, label: former, teamId, ownerId } = found.data
  return record(
    actor,
    action,
    requestId,
    { ...found.data, label },
    () =>
      inTransaction(async (tx) => {
        const { count } = await tx.backupTarget.updateMany({ where: { id, label: former }, data: { label } })
        if (count === 0) return changedMeanwhile
        const named = await tx.backupTarget.count({ where: { teamId, ownerId, label } })
        return named > 1 ? { ok: false, problem: taken } : { ok: true, data: { label } }
      }),
    { name: former },
  )
}

/**
 * Fields: targetId, serverId as for a test, access and the keys of form.ts, and a proof if the sign-in is not recent. The old keys stay until the new ones passed the test. A
 * target that was frozen when its owner left is used again from then on.
 */
export async function replaceBackupTargetKeys({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<TargetTested>> {
  const action = 'backupTarget.replaceKeys'
  const found = await findKept(actor, action, field('targetId'))
  if (!found.ok) return found
  const { id, label, kind, secretVersion } = found.data
  const keys = readKeys(kind, field)
  if (!keys.ok) return keys
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const [serverId, pinned] = [field('serverId'), withAccess(readAddress(found.data), readAccess(field))]
  const confirmed = fingerprintOf(field('hostKey')) === '' ? '' : field('hostKey')
  const shown = await findUnconfirmed(
    actor,
    { serverId, target: found.data, address: withHostKey(pinned, confirmed) },
    pinned.kind === 'sftp' ? pinned.hostKey : '',
  )
  if (shown) return shown
  const address = confirmed === '' ? pinned : withHostKey(pinned, confirmed)
  return record(actor, action, requestId, found.data, async (recheck) => {
    const next = { ...found.data, address: writeAddress(address), secretVersion: secretVersion + 1 }
    const checked = await checkTarget(actor, { serverId, target: next, address, keys: keys.data })
    if (!checked.ok) return checked
    const result = checked.data
    const refused = refuseFailed(result, kind, keyFieldOf[kind])
    if (refused) return refused
    const still = await recheck()
    if (!still.ok) return still
    const sealed = await sealBackupTarget(next, keys.data)
    const data = { ...sealed, address: next.address, secretVersion: next.secretVersion, frozenAt: null, ...checkedNow(result) }
    const { count } = await db().backupTarget.updateMany({ where: { id, secretVersion }, data })
    if (count !== 1) return changedMeanwhile
    // A kit with the former keys no longer opens anything.
    await db().backupRepository.updateMany({ where: { targetId: id }, data: { kitConfirmedAt: null } })
    return { ok: true, data: { label, findings: result.findings.map(describeFinding) } }
  })
}

/** Fields: targetId, confirmName, and a proof if the sign-in is not recent. What is stored there stays; its credentials are erased here. */
export async function removeBackupTarget({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<{ label: string }>> {
  const action = 'backupTarget.remove'
  const found = await findGoverned(actor, action, field('targetId'))
  if (!found.ok) return found
  const { id, label } = found.data
  const named = field('confirmName').trim() === label ? null : `Type the name “${label}” to confirm.`
  const refused = refuseFields({ confirmName: named })
  if (refused) return { ok: false, problem: refused }
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  return record(actor, action, requestId, found.data, async () => {
    const { count } = await db().backupTarget.deleteMany({ where: { id, label } })
    return count === 1 ? { ok: true, data: { label } } : changedMeanwhile
  })
}

/** Shown at the field that has to change; at `otherwise` where the form has no field for the address. */
function refuseFailed({ problem: failed }: CheckResult, kind: TargetKind, otherwise?: string) {
  if (failed === null) return null
  const fields = Object.entries(refusalOf(failed, kind)).map(([name, sentence]): [string, string] => [
    otherwise !== undefined && !/Key(Id|Secret)?$/.test(name) ? otherwise : name,
    sentence,
  ])
  return { ok: false, problem: problem('invalid', { fields: Object.fromEntries(fields) }) } as const
}

/** Where a form of keys alone shows what is wrong with the rest. */
const keyFieldOf: Readonly<Record<TargetKind, string>> = { s3: 'serverKeyId', sftp: 'serverPrivateKey', folder: 'serverId' }

const withAccess = (address: TargetAddress, access: SftpAccess): TargetAddress =>
  address.kind === 'sftp' ? { ...address, access } : address

const withHostKey = (address: TargetAddress, hostKey: string): TargetAddress =>
  address.kind === 'sftp' ? { ...address, hostKey } : address

const checkedNow = ({ problem: failed, findings }: CheckResult) => ({
  checkedAt: new Date(),
  problem: failed ?? '',
  findings: findings.join(','),
})

/** Between the two entries of the audit log, whose detail names the target and its address, and no credential. */
function record<T>(
  actor: Person,
  action: OwnAction,
  requestId: string,
  target: Pick<BackupTarget, 'ownerId' | 'label' | 'kind' | 'address'>,
  run: (recheck: Recheck) => Promise<Outcome<T>>,
  more: { name?: string } = {},
): Promise<Outcome<T>> {
  const own = keeperOf(target) === 'own' && target.ownerId === actor.user.id
  const needs = { subject: own ? 'ownConnections' : 'teamConnections', effect: 'change' } as const
  const detail = { label: target.label, via: target.kind, address: formatAddress(readAddress(target)), ...more }
  const object = { kind: 'team', id: actor.team.id } as const
  return runRecorded({ actor, action, requestId, object, needs, detail }, (_, recheck) => run(recheck))
}
