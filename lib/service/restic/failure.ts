/** Why restic did not do what it was asked, by what it writes in the versions of Debian 12 and 13. */

export type ResticFailure =
  | 'missing_program'
  | 'memory'
  | 'password'
  | 'key'
  | 'clock'
  | 'bucket'
  | 'region'
  | 'full'
  | 'busy'
  | 'denied'
  | 'certificate'
  | 'locked'
  | 'damaged'
  | 'missing'
  | 'unreachable'
  | 'unknown'

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
  [/AccessDenied|Access Denied|403 Forbidden/, 'denied'],
  [/x509:|tls:/, 'certificate'],
  [/already locked/, 'locked'],
  [
    /ciphertext verification failed|invalid data returned|does not match|hash mismatch|invalid length|unexpected EOF|zstd|not a valid|corrupt/,
    'damaged',
  ],
  [/key does not exist|does not exist|not found in (index|repository)|no matching ID|no snapshot found|The specified key/i, 'missing'],
  [/connection refused|no such host|i\/o timeout|no route to host|network is unreachable|context deadline exceeded/, 'unreachable'],
]

const [noSuchProgram, noRepository] = [127, 10]

/** code: null if a signal ended it. */
export function failureOf(code: number | null, complaints: string): ResticFailure {
  if (code === noSuchProgram) return 'missing_program'
  const found = causes.find(([pattern]) => pattern.test(complaints))
  if (found) return found[1]
  return code === noRepository ? 'missing' : 'unknown'
}
