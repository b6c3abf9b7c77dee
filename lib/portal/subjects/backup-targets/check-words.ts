/** What a test of a backup target found, in words. */
import 'server-only'

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
  altered: 'The target returned something else than what was written to it.',
} as const

const findings = {
  can_delete: 'The server key can delete. Give it a policy without deletion.',
  can_overwrite: 'The bucket keeps no versions, so objects can be overwritten. Turn on versioning.',
} as const

/** For reasons that lie in one key and not in the address. */
const ofKeys: ReadonlySet<string> = new Set([
  'unknown_key',
  'wrong_secret',
  'denied_write',
  'denied_read',
  'denied_list',
  'denied_delete',
] satisfies CheckReason[])

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
export function refusalOf(problem: CheckProblem): Record<string, string> {
  const { owner, reason } = split(problem)
  const sentence = isReason(reason) ? reasons[reason] : ''
  if (ofKeys.has(reason)) return { [`${owner}Key${reason === 'wrong_secret' ? 'Secret' : 'Id'}`]: sentence }
  return { [reason === 'no_bucket' ? 'bucket' : reason === 'region' ? 'region' : 'endpoint']: sentence }
}

export const describeFinding = (finding: CheckFinding): string => findings[finding]

export const readFindings = (stored: string): CheckFinding[] =>
  stored.split(',').filter((each): each is CheckFinding => Object.hasOwn(findings, each))
