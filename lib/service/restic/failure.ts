/** Why restic did not do what it was asked, by what it writes in the versions of Debian 12 and 13. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '../machines/machine'

export type ResticFailure = keyof typeof resticSentences

export const resticSentences = {
  missing_program: 'restic is not installed on the machine that runs the service. Run “apt-get install restic” there.',
  memory: 'The memory that Gatehouse allows restic is too small for this repository.',
  password: 'The password of the repository is wrong.',
  // S3 does not say which to restic.
  key: 'The target refuses the maintenance key, or a clock is wrong. Test the target on the page Backup targets to see which.',
  // Of SFTP, where the login has succeeded by then.
  denied: 'The maintenance key may not create and delete files in the folder of the target. Check who owns that folder.',
  refused_key: 'The target doesn’t accept the maintenance key. Replace the keys of the target.',
  host_key:
    'The target shows another host key than the one that was confirmed. Nothing was sent. Find out why before you replace the keys of the target.',
  no_sftp: 'The target doesn’t offer SFTP to the user of the maintenance key.',
  clock: 'The clocks of the service and the target differ too much. Set the clock of the machine that runs the service.',
  bucket: 'The bucket of the target no longer exists.',
  region: 'The bucket of the target is in another region.',
  full: 'The target is full, and restic needs some room there to delete. Make room.',
  busy: 'The target is overloaded.',
  certificate: 'The target has no valid certificate for its address.',
  address:
    'The address of the target belongs to a private network. The server administrator can allow it in ALLOW_PRIVATE_UPSTREAMS of the service.',
  locked: 'Another program has locked the repository: a copy that is being made, or one that was stopped less than an hour ago.',
  ambiguous:
    'Two snapshots have the same short id, which happens only on purpose. Nothing was deleted. Check who has access to the server.',
  damaged: 'The repository is damaged. Make a new copy of each site to another target, and restore one to check it.',
  missing: 'The storage of the target, the repository of this server, or a part of it is missing.',
  unreachable: 'The service can’t reach the target.',
  slow: 'Deleting old copies took longer than six hours.',
  unknown: 'restic failed for a reason that Gatehouse does not know.',
} as const

/** The first that matches. */
const causes: readonly (readonly [RegExp, ResticFailure])[] = [
  [/out of memory|cannot allocate memory/i, 'memory'],
  [/wrong password or no key found/, 'password'],
  [
    /Access Key Id you provided does not exist|InvalidAccessKeyId|SignatureDoesNotMatch|request signature we calculated does not match/,
    'key',
  ],
  [/RequestTimeTooSkewed|difference between the request time/, 'clock'],
  [/NoSuchBucket|specified bucket does not exist/, 'bucket'],
  [/AuthorizationHeaderMalformed|PermanentRedirect/, 'region'],
  [/QuotaExceeded|InsufficientStorage|StorageFull|507 /, 'full'],
  [/SlowDown|ServiceUnavailable/, 'busy'],
  [/AccessDenied|Access Denied|403 Forbidden/, 'key'],
  [/[Pp]ermission denied/, 'denied'],
  [/x509:|tls:|server gave HTTP response to HTTPS client/, 'certificate'],
  [/already locked/, 'locked'],
  [
    /ciphertext verification failed|invalid data returned|does not match|hash mismatch|invalid length|unexpected EOF|not found in index|repository contains errors|index is not complete/,
    'damaged',
  ],
  [/key does not exist|does not exist|not found in repository|The specified key/i, 'missing'],
  [/unable to start the sftp session/, 'no_sftp'],
  [
    /connection refused|connection lost|no such host|i\/o timeout|no route to host|network is unreachable|context deadline exceeded/,
    'unreachable',
  ],
]

const [noSuchProgram, noRepository] = [127, 10]

const causeOf = (complaints: string): ResticFailure | undefined => causes.find(([pattern]) => pattern.test(complaints))?.[1]

const lasting: ReadonlySet<ResticFailure | undefined> = new Set([
  'missing',
  'password',
  'key',
  'denied',
  'bucket',
  'region',
  'clock',
  'full',
  'certificate',
])

/** restic repeats refused requests for a quarter of an hour. line: of what it writes. */
export const isRetriedInVain = (line: string): boolean => line.includes('retrying') && lasting.has(causeOf(line))

/** code: of its end; null if a signal ended it. */
export function failureOf(code: number | null, complaints: string): ResticFailed {
  if (code === noSuchProgram) return resticFailure('missing_program')
  const unknown = code === noRepository ? 'missing' : code === null ? 'memory' : 'unknown'
  return resticFailure(causeOf(complaints) ?? unknown)
}

export class ResticFailed extends MachineFailure {
  constructor(readonly why: ResticFailure) {
    super(problem('unsuitable', { sentence: resticSentences[why] }))
  }
}

export const resticFailure = (why: ResticFailure): ResticFailed => new ResticFailed(why)
