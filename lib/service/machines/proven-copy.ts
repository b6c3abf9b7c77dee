/** The verdict of a proof of a copy, which is the answer of its job: `good`, or the cause why not. */

/** bad: the site cannot be restored from the copy as it is there. postponed: the proof would have hurt now. unchecked: it is not known whether the copy is good. */
type Verdict = 'good' | 'bad' | 'postponed' | 'unchecked'

/** Causes of restic, and of the proof itself, as host/gatehouse_host/copies names them. */
const causes = {
  missing: ['bad', 'The copy is not there any more, or parts of it are missing at the target.'],
  damaged: ['bad', 'Parts of the copy were changed or damaged at the target.'],
  'other-content': ['bad', 'The copy is not what was sent: something else was put in its place.'],
  truncated: ['bad', 'The copy is cut off: its end is missing.'],
  differs: ['bad', 'The copy does not have what its manifest says.'],
  dump: ['bad', 'The database of the copy could not be loaded.'],
  'no-database': ['bad', 'The copy has no database, so the site could not be restored from it.'],
  password: ['bad', 'The repository cannot be opened: it is gone, or something else is stored in its folder.'],
  bucket: ['bad', 'The bucket no longer exists.'],
  load: ['postponed', 'The server is busy. The proof was postponed.'],
  room: ['postponed', 'The server has too little room to load the database of the copy. The proof was postponed.'],
  'disk-full': ['unchecked', 'The disk of the server is full.'],
  database: ['unchecked', 'MariaDB on the server did not take the database of the copy.'],
  newer: ['unchecked', 'The backup was made by a newer version of Gatehouse.'],
  key: ['unchecked', 'The target doesn’t accept the server key. Replace the keys of the target.'],
  denied: ['unchecked', 'The target refuses the server key. Test the target to see whether the key is wrong or lacks a permission.'],
  region: ['unchecked', 'The bucket is in another region.'],
  clock: ['unchecked', 'The clocks of the server and the target differ too much. Set the clock of the server.'],
  full: ['unchecked', 'The target is full, and answers no more.'],
  busy: ['unchecked', 'The target is overloaded.'],
  certificate: ['unchecked', 'The certificate of the target is not valid for its address, as the server sees it.'],
  unreachable: ['unchecked', 'The server can’t reach the target.'],
  locked: ['unchecked', 'Another program has locked the repository.'],
  memory: ['unchecked', 'The program restic needed more than 300 MB of memory, which is its limit on servers.'],
  silent: ['unchecked', 'The target did not respond for a long time.'],
  'host-key': ['unchecked', 'The target shows another host key than the one that was confirmed.'],
  'no-sftp': ['unchecked', 'The target doesn’t offer SFTP to this user.'],
  'no-session': ['unchecked', 'The server could not sign in to the target by SFTP.'],
  altered: ['unchecked', 'The target returned something else than what was written to it.'],
  unmounted: ['unchecked', 'No storage is mounted in the folder of the target on this server.'],
  'system-folder': ['unchecked', 'The folder of the target belongs to the system of this server.'],
  unknown: ['unchecked', 'The program restic ended without a reason.'],
} as const satisfies Readonly<Record<string, readonly [Exclude<Verdict, 'good'>, string]>>

export type ProofCause = keyof typeof causes

export const proofCauses = Object.keys(causes) as ProofCause[]

export const sentenceOfCause = (cause: ProofCause): string => causes[cause][1]

/** What the operation answers. reason: a sentence, empty if it is good. */
type ProvenCopy = { verdict: Verdict; cause: ProofCause | ''; reason: string }

/** Null for anything else: the answer comes from a server. */
export function readProven(text: string): ProvenCopy | null {
  if (text === 'good') return { verdict: 'good', cause: '', reason: '' }
  const cause = proofCauses.find((each) => each === text)
  return cause === undefined ? null : { verdict: causes[cause][0], cause, reason: causes[cause][1] }
}

/** The last line of the job. */
export const describeProof = (domain: string, answer: string): string =>
  readProven(answer)?.reason || `${domain} could be restored from the copy.`
