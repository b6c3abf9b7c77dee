/** Tests a backup target of any kind, from where that is possible. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { BackupTargetKeys } from '@/lib/portal/custody/backup-target'
import type { Person } from '@/lib/portal/identity/actor'
import type { BackupTarget } from '@/prisma/generated/portal/client'
import type { TargetAddress } from './address'
import { type CheckResult, checkBucket } from './check'
import { askTargetHostKey, checkFromServer } from './check-from-server'
import { fingerprintOf } from './form'

/** serverId: the server that tests; empty for a bucket, which Gatehouse tests. */
type Wanted = {
  serverId: string
  target: Pick<BackupTarget, 'id' | 'secretVersion' | 'ownerId' | 'label'>
  address: TargetAddress
  keys: BackupTargetKeys
}

/** Rights on the server are those of copies.test. */
export async function checkTarget(actor: Person, wanted: Wanted): Promise<Outcome<CheckResult>> {
  const { target, address, keys, serverId } = wanted
  if (address.kind === 's3' && keys.kind === 's3')
    return { ok: true, data: await checkBucket({ id: `${target.id} ${target.secretVersion}`, address, keys }) }
  return serverId === '' ? { ok: false, problem: noServer } : checkFromServer(actor, wanted)
}

const noServer = problem('invalid', { fields: { serverId: 'Choose the server that tests the target.' } })

/** key: type and key, which the form sends back once it is confirmed. */
export type ShownHostKey = { key: string; fingerprint: string }

type Shown = { ok: true; data: { label: string; findings: []; hostKey: ShownHostKey } }

/** The host key that the member has to confirm first, or why it cannot be asked for; null if there is none to confirm. pinned: confirmed before. */
export async function findUnconfirmed(
  actor: Person,
  { address, ...wanted }: Omit<Wanted, 'keys' | 'target'> & { target: Pick<BackupTarget, 'ownerId' | 'label'> },
  pinned = '',
): Promise<Shown | Extract<Outcome<never>, { ok: false }> | null> {
  if (address.kind !== 'sftp' || address.hostKey !== '') return null
  if (wanted.serverId === '') return { ok: false, problem: noServer }
  const asked = await askTargetHostKey(actor, { ...wanted, address })
  if (!asked.ok) return asked
  if (asked.data === pinned) return null
  const fingerprint = fingerprintOf(asked.data)
  if (fingerprint === '')
    return { ok: false, problem: problem('unsuitable', { sentence: 'The target shows no host key of the type ED25519 or ECDSA.' }) }
  return { ok: true, data: { label: wanted.target.label, findings: [], hostKey: { key: asked.data, fingerprint } } }
}
