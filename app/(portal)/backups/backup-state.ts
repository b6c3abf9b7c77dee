/** How well a site, or a server itself, is backed up, judged at one moment. */
import type { BackupLine } from '@/lib/portal/views/backups/line'
import { siteBackupAgeOf } from '../../_shared/sites/common-columns'
import { formatAge } from '../../_ui/relative-time'
import type { Tone } from '../../_ui/state-chip'

/** In the order of the list: the worst first. */
const worstFirst = ['none', 'failed', 'bad', 'late', 'unknown', 'copy', 'here', 'kit', 'good', 'gone'] as const

export type BackupState = (typeof worstFirst)[number]

type Described = { tone: Tone; label: string; title: string }

export const backupStates: Readonly<Record<BackupState, Described>> = {
  none: { tone: 'danger', label: 'Never backed up', title: 'Its service reports that there is no backup.' },
  failed: { tone: 'danger', label: 'Failed', title: 'The newest attempt to back it up failed.' },
  bad: { tone: 'danger', label: 'Bad copy', title: 'A proof found that it could not be restored from a copy.' },
  late: { tone: 'warn', label: 'Late', title: 'Its newest backup is older than 26 hours.' },
  unknown: { tone: 'neutral', label: 'Unknown', title: 'Its service does not report when it was backed up.' },
  copy: { tone: 'warn', label: 'Copy failed', title: 'It was backed up, but the newest attempt to copy that elsewhere failed.' },
  here: { tone: 'neutral', label: 'No copy elsewhere', title: 'It was backed up, but only on its server.' },
  kit: {
    tone: 'warn',
    label: 'Kit not confirmed',
    title: 'Nobody has confirmed having the recovery kit with which its copies can be read.',
  },
  good: { tone: 'ok', label: 'Good', title: 'It was backed up within the last 26 hours.' },
  gone: { tone: 'neutral', label: 'Deleted', title: 'It was deleted. Its copies elsewhere are kept.' },
}

export const formatBackupState = (state: string): string => backupStates[state as BackupState]?.label ?? state

type Judged = Pick<BackupLine, 'gone' | 'backupAt' | 'failedAt' | 'copyFailedAt' | 'copies'>

/** now: ms since 1970. What is not known is never good. */
export function backupStateOf({ gone, backupAt, failedAt, copyFailedAt, copies }: Judged, now = Date.now()): BackupState {
  if (gone) return 'gone'
  if (backupAt === 'none') return 'none'
  if (failedAt !== '') return 'failed'
  if (copies?.some(({ proven }) => proven === 'bad')) return 'bad'
  if (backupAt === '') return 'unknown'
  if (!siteBackupAgeOf({ backupAt }, now).includes('night')) return 'late'
  if (copyFailedAt !== '') return 'copy'
  // A reader who may not know of copies learns nothing about them.
  if (copies === null) return 'good'
  if (copies.length === 0) return 'here'
  return copies.some(({ isSafe }) => isSafe) ? 'good' : 'kit'
}

/** The worst first; of equal ones, the one whose backup is the oldest. */
export const sortByBackupState = (line: BackupLine, now = Date.now()): string =>
  `${worstFirst.indexOf(backupStateOf(line, now))} ${line.backupAt === 'none' ? '' : line.backupAt}`

/** When its newest copy elsewhere was made, ISO; empty without one. */
export const copiedAtOf = ({ copies }: Pick<BackupLine, 'copies'>): string =>
  (copies ?? []).map(({ at }) => at).reduce((newest, at) => (at > newest ? at : newest), '')

/** The bytes of its newest copy elsewhere; 0 without one. */
export const copiedBytesOf = ({ copies }: Pick<BackupLine, 'copies'>): number =>
  (copies ?? []).reduce((newest, copy) => (copy.at > newest.at ? copy : newest), { at: '', bytes: 0 }).bytes

/** When a copy of it was last proven, ISO; `bad` if one is known not to be good; empty if none was. */
export function proofOf({ copies }: Pick<BackupLine, 'copies'>): string {
  // As text, `bad` is greater than every time.
  return (copies ?? []).map(({ proven }) => proven).reduce((newest, at) => (at > newest ? at : newest), '')
}

/** The reason of a state, with the time of the attempt that failed. */
export function describeBackupState(line: BackupLine, now = Date.now()): string {
  const state = backupStateOf(line, now)
  const { title } = backupStates[state]
  const ago = (at: string) => formatAge(Date.parse(at) - now)
  if (state === 'failed' || state === 'copy')
    return `${title.replace(/\.$/, '')}, ${ago(state === 'copy' ? line.copyFailedAt : line.failedAt)}.`
  return state === 'none' && line.failedAt !== '' ? `${title} The newest attempt failed, ${ago(line.failedAt)}.` : title
}
