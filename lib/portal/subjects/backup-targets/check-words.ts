/** What a test of a backup target found, in words. */
import 'server-only'
import type { TargetKind } from './address'

/** Whose credentials: those that servers get, or those that no server gets. */
export type KeyOwner = 'server' | 'maintenance'

export type CheckReason = keyof typeof reasons

/** "server no_bucket": with whose key, and the reason. */
export type CheckProblem = `${KeyOwner} ${CheckReason}`

export type CheckFinding = keyof typeof findings

const reasons = {
  address: 'This address belongs to a private network. The server administrator can allow it in ALLOW_PRIVATE_UPSTREAMS.',
  insecure: 'The certificate of the target is not valid for this address.',
  slow: 'The target didn’t respond in time.',
  unreachable: 'The target didn’t respond. Check the address.',
  not_understood: 'The target doesn’t respond as S3 does. Check the address.',
  region: 'The bucket is in another region. Enter the region that the storage provider shows.',
  no_bucket: 'There is no bucket of this name.',
  unknown_key: 'The target doesn’t know this access key.',
  wrong_secret: 'The secret doesn’t belong to this access key.',
  clock: 'The clocks of Gatehouse and the target differ by more than 5 minutes. Set the clock of the machine that runs Gatehouse.',
  denied_write: 'This access key may not write to the bucket.',
  denied_read: 'This access key may not read from the bucket.',
  denied_list: 'This access key may not list the bucket.',
  denied_delete: 'This access key may not delete from the bucket, so old copies could not be removed.',
  full: 'The target is full.',
  busy: 'The target is overloaded. Try again later.',
  refused_key: 'The target doesn’t accept this key for this user.',
  host_key_changed:
    'The target shows another host key than the one that was confirmed. Nothing was sent. Find out why before you replace the keys of the target.',
  no_sftp: 'The target doesn’t offer SFTP to this user.',
  no_rclone:
    'The target doesn’t run rclone for the server key. Install rclone on the target, and add the line that the dialog shows to the authorized_keys of the user.',
  denied_maintenance: 'The maintenance key may not create and delete files in this folder, so Gatehouse could not delete old copies there.',
  service_unreachable:
    'The machine that runs the service can’t reach the target, so Gatehouse could not delete old copies there. Let that machine connect to the port of the target.',
  service_address:
    'This address belongs to a private network of the machine that runs the service. The server administrator can allow it in ALLOW_PRIVATE_UPSTREAMS of the service.',
  no_folder: 'The folder does not exist there.',
  denied_folder: 'Writing to this folder is not permitted.',
  unmounted: 'No storage is mounted in this folder on the server. Copies would be on the disk of the server, and lost with it.',
  system_folder: 'This folder belongs to the system of the server, or to its sites. Mount storage in /mnt or /srv, for example.',
  server_unreachable: 'The server can’t reach the target. Check the address.',
  server_clock: 'The clocks of the server and the target differ by more than 5 minutes. Set the one that is wrong.',
  failed: 'The test failed for a reason that the server does not know.',
  altered: 'The target returned something else than what was written to it.',
} as const

const findings = {
  can_delete: 'The server key can delete. Give it a policy without deletion.',
  can_overwrite: 'The bucket keeps no versions, so objects can be overwritten. Turn on versioning.',
  sftp_deletes: 'The server key can delete. SFTP can’t prevent that: let servers use rclone, or use storage that makes snapshots.',
  sftp_overwrites: 'The server key can overwrite. SFTP can’t prevent that: let servers use rclone, or use storage that makes snapshots.',
  rclone_deletes:
    'The server key can delete. Its line in authorized_keys needs the option --append-only, and no other line may have this key.',
  folder_root: 'Root of a server can delete what is in the folder. Use storage that makes snapshots which no server can delete.',
} as const

/** For reasons that lie in one key and not in the address. */
const ofKeys: ReadonlySet<string> = new Set([
  'unknown_key',
  'wrong_secret',
  'denied_write',
  'denied_read',
  'denied_list',
  'denied_delete',
  'refused_key',
  'no_rclone',
  'denied_maintenance',
] satisfies CheckReason[])

/** What a server answers to copies.test, as a reason. */
const byResult: Readonly<Record<string, CheckReason>> = {
  key: 'refused_key',
  'host-key': 'host_key_changed',
  'no-sftp': 'no_sftp',
  'no-rclone': 'no_rclone',
  missing: 'no_folder',
  denied: 'denied_folder',
  unmounted: 'unmounted',
  'system-folder': 'system_folder',
  unreachable: 'server_unreachable',
  silent: 'server_unreachable',
  full: 'full',
  altered: 'altered',
}

export const reasonOfServer = (result: string): CheckReason => (Object.hasOwn(byResult, result) ? byResult[result] : undefined) ?? 'failed'

/** The same of the service, which tries the maintenance key. */
export function reasonOfMaintenance(result: string): CheckReason {
  if (result === 'denied') return 'denied_maintenance'
  if (result === 'address') return 'service_address'
  return result === 'unreachable' || result === 'silent' ? 'service_unreachable' : reasonOfServer(result)
}

function split(problem: string): { owner: string; reason: string } {
  const [owner = '', reason = ''] = problem.split(' ')
  return { owner, reason }
}

const isReason = (text: string): text is CheckReason => Object.hasOwn(reasons, text)

/** "Server key: This access key may not write to the bucket." Rows of another version may have a reason that this one does not know. */
export function describeProblem(problem: string): string {
  const { owner, reason } = split(problem)
  const sentence = isReason(reason) ? reasons[reason] : 'The test failed.'
  return ofKeys.has(reason) ? `${owner === 'server' ? 'Server key' : 'Maintenance key'}: ${sentence}` : sentence
}

/** The field of the form that has to be changed, and the sentence for it. */
export function refusalOf(problem: CheckProblem, kind: TargetKind = 's3'): Record<string, string> {
  const { owner, reason } = split(problem)
  const sentence = isReason(reason) ? reasons[reason] : ''
  if (kind === 'folder') return { path: sentence }
  if (kind === 'sftp') return { [ofKeys.has(reason) ? `${owner}PrivateKey` : ofFolder.has(reason) ? 'path' : 'host']: sentence }
  if (ofKeys.has(reason)) return { [`${owner}Key${reason === 'wrong_secret' ? 'Secret' : 'Id'}`]: sentence }
  return { [reason === 'no_bucket' ? 'bucket' : reason === 'region' ? 'region' : 'endpoint']: sentence }
}

const ofFolder: ReadonlySet<string> = new Set(['no_folder', 'denied_folder', 'full', 'altered'] satisfies CheckReason[])

export const describeFinding = (finding: CheckFinding): string => findings[finding]

export const readFindings = (stored: string): CheckFinding[] =>
  stored.split(',').filter((each): each is CheckFinding => Object.hasOwn(findings, each))
