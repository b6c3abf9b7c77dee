/** Backup files of a server and its nightly runs, as printed by backups.bash: records of four NUL-terminated fields. */
import { showBidiControls } from '@/lib/text/bidi'

export type BackupFile = {
  name: string
  bytes: number
  /** Seconds since 1970. */
  writtenAt: number
  proven: boolean
  /** Absent if no file next to the backup lists it. */
  lacks?: Lacks
}

/** missing: databases or files that could not be backed up, and why. leftOut: mount points, which no backup includes. */
type Lacks = { missing: readonly Missing[]; leftOut: readonly string[] }

type Missing = { name: string; reason: string }

/** How the newest run ended; at: ISO. reason is empty if there is nothing to report. */
type LastBackup = { state: 'running' | 'done' | 'partial' | 'failed'; at: string; reason: string }

/** Whether a next run is scheduled, and when: ISO, or empty if unknown. */
type BackupTimer = { active: boolean; next: string }

/** As the interface reports it. */
type Backup = { name: string; size: string; created_at: string; proven: boolean; missing?: Missing[]; left_out?: string[] }

/** The newest first. last: absent before the first run; timer: absent where none is installed. */
export type BackupList = { items: Backup[]; last?: LastBackup; timer?: BackupTimer }

/** A file name in that folder only: never a path, nothing hidden, nothing unprintable. */
export const isBackupName = (name: string): boolean => /^[^./][^/]{0,254}$/u.test(name) && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u.test(name)

type Record = [name: string, second: string, third: string, fourth: string]

function splitRecords(printed: string): Record[] {
  const parts = printed.split('\0')
  const records: Record[] = []
  for (let at = 0; at + 4 < parts.length; at += 4) {
    const [one = '', two = '', three = '', four = ''] = parts.slice(at, at + 4)
    records.push([one, two, three, four])
  }
  return records
}

/** The newest first. Files whose names cannot be shown are skipped. */
export function parseBackups(printed: string): BackupFile[] {
  const files: BackupFile[] = []
  for (const [name, bytes, writtenAt, mark] of splitRecords(printed)) {
    if (isBackupName(name) && /^\d{1,15}$/.test(bytes) && /^\d{1,12}$/.test(writtenAt))
      files.push({ name, bytes: Number(bytes), writtenAt: Number(writtenAt), ...parseMark(mark) })
  }
  return files.sort((one, other) => other.writtenAt - one.writtenAt || (one.name < other.name ? 1 : -1))
}

/** The first line is `proven` for a verified backup; each further line is a kind and its fields, separated by tabs. */
function parseMark(mark: string): Pick<BackupFile, 'proven' | 'lacks'> {
  const [first, ...lines] = mark.split('\n')
  const proven = first === 'proven'
  if (lines.length === 0) return { proven }
  const lacks = lines.map((line) => line.split('\t').map(plain))
  const missing = lacks.flatMap(([kind, name = '', reason = '']) => (kind === 'missing' ? [{ name, reason }] : []))
  const leftOut = lacks.flatMap(([kind, path = '']) => (kind === 'left_out' ? [path] : []))
  return { proven, lacks: { missing, leftOut } }
}

/** Turns text from a server into one line, without invisible characters that could disguise it. */
const plain = (text: string): string => showBidiControls(text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')).slice(0, 1000)

export const renderBackups = (files: readonly BackupFile[]): string =>
  files
    .flatMap((file) => [file.name, file.bytes, file.writtenAt, renderMark(file)])
    .map((part) => `${part}\0`)
    .join('')

function renderMark({ proven, lacks }: BackupFile): string {
  const mark = proven ? 'proven' : ''
  if (!lacks) return mark
  const missing = lacks.missing.map(({ name, reason }) => `missing\t${name}\t${reason}`)
  return `${mark}\n${[...missing, ...lacks.leftOut.map((path) => `left_out\t${path}`)].join('\n')}`
}

/** Parses the complete output. */
export function parseBackupList(printed: string): BackupList {
  const records = splitRecords(printed).filter(([name]) => name === '')
  const run = records.find(([, kind]) => kind === 'run')
  const timer = records.find(([, kind]) => kind === 'timer')
  const last = run && parseRun(run)
  return {
    items: parseBackups(printed).map(backupOf),
    ...(last && { last }),
    ...(timer && { timer: { active: timer[3] === 'on', next: timeOf(timer[2]) } }),
  }
}

const states = { running: 'running', done: 'done', partial: 'partial', failed: 'failed', ended: 'failed' } as const

const endedReason = 'The backup was interrupted: it was killed, or the server went down.'

function parseRun([, , at, text]: Record): LastBackup | undefined {
  const [word = '', ...lines] = text.split('\n')
  const state = Object.entries(states).find(([known]) => known === word)?.[1]
  return state && { state, at: timeOf(at), reason: word === 'ended' ? endedReason : plain(lines.join(' ')) }
}

export const renderRun = (state: keyof typeof states, at: number, sentence: string): string => `\0run\0${at}\0${state}\n${sentence}\0`

export const renderTimer = (active: boolean, next: number): string => `\0timer\0${next}\0${active ? 'on' : 'off'}\0`

/** ISO; empty for 0 and anything that is not a time. */
const timeOf = (seconds: string): string => (/^[1-9]\d{0,11}$/.test(seconds) ? new Date(Number(seconds) * 1000).toISOString() : '')

const backupOf = ({ name, bytes, writtenAt, proven, lacks }: BackupFile): Backup => ({
  name,
  size: String(bytes),
  created_at: new Date(writtenAt * 1000).toISOString(),
  proven,
  ...(lacks && { missing: [...lacks.missing], left_out: [...lacks.leftOut] }),
})
