/** The verdict of a proof of a copy, which is the answer of its job: `good`, or the cause why not. */
import { copyFaults } from './copy-faults'

/** bad: the site cannot be restored from the copy as it is there. postponed: the proof would have hurt now. unchecked: it is not known whether the copy is good. */
type Verdict = 'good' | 'bad' | 'postponed' | 'unchecked'

type Finding = readonly [Exclude<Verdict, 'good'>, string]

/** Those of the proof itself, and those that say more of a copy than of its target. */
const ofCopy = {
  missing: ['bad', 'The copy is not there any more, or parts of it are missing at the target.'],
  damaged: ['bad', 'Parts of the copy were changed or damaged at the target.'],
  'other-content': ['bad', 'The copy is not what was sent: something else was put in its place.'],
  truncated: ['bad', 'The copy is cut off: its end is missing.'],
  differs: ['bad', 'The copy does not have what its manifest says.'],
  dump: ['bad', 'The database of the copy could not be loaded.'],
  'no-database': ['bad', 'The copy has no database, so the site could not be restored from it.'],
  password: ['bad', 'The repository cannot be opened: it is gone, or something else is stored in its folder.'],
  bucket: ['bad', copyFaults.bucket],
  load: ['postponed', 'The server is busy, so the copy was not read.'],
  room: ['postponed', 'The server has too little room to load the database of the copy, so it was not proven.'],
  'disk-full': ['unchecked', 'The disk of the server is full.'],
  database: ['unchecked', 'MariaDB on the server failed while it loaded the database of the copy.'],
  newer: ['unchecked', 'The backup was made by a newer version of Gatehouse.'],
} as const satisfies Readonly<Record<string, Finding>>

export type ProofCause = keyof typeof ofCopy | keyof typeof copyFaults

const isOfCopy = (cause: ProofCause): cause is keyof typeof ofCopy => Object.hasOwn(ofCopy, cause)

/** Faults of a target say nothing of the copy. */
const findingOf = (cause: ProofCause): Finding => (isOfCopy(cause) ? ofCopy[cause] : ['unchecked', copyFaults[cause]])

export const proofCauses = [...new Set([...Object.keys(ofCopy), ...Object.keys(copyFaults)])] as ProofCause[]

export const sentenceOfCause = (cause: ProofCause): string => findingOf(cause)[1]

/** What the operation answers. reason: a sentence, empty if it is good. */
type ProvenCopy = { verdict: Verdict; cause: ProofCause | ''; reason: string }

/** Null for anything else: the answer comes from a server. */
export function readProven(text: string): ProvenCopy | null {
  if (text === 'good') return { verdict: 'good', cause: '', reason: '' }
  const cause = proofCauses.find((each) => each === text)
  if (cause === undefined) return null
  const [verdict, reason] = findingOf(cause)
  return { verdict, cause, reason }
}

/** The last line of the job. */
export const describeProof = (domain: string, answer: string): string =>
  readProven(answer)?.reason || `${domain} could be restored from the copy.`
