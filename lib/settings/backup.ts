/** Parses the settings of scheduled backups. */
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'

export type BackupSchedule = { atHour: number } | { everyHours: number }

/** endpoint: an origin. folder: without slashes at its ends, or empty. secretFile: an absolute path; read for each archive. */
export type BackupBucket = { endpoint: string; bucket: string; folder: string; region: string; keyId: string; secretFile: string }

export type BackupSettings = {
  /** A public key of age, or the absolute path of a file with a public key of OpenPGP. */
  recipient: { program: 'age'; key: string } | { program: 'gpg'; keyFile: string }
  /** folder, command: absolute paths, of a folder for the archives or of a program that stores one. */
  target: { folder: string } | { command: string } | { bucket: BackupBucket }
  /** atHour: an hour of the day in UTC. */
  schedule: BackupSchedule
  /** Of a folder: at least so many archives of a half, and all that are younger than so many days. */
  keep: { count: number; days: number }
}

const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most).optional()

/** The variables of the environment. */
export const backupVariables = {
  BACKUP_RECIPIENT: z.string().min(1).max(4096).optional(),
  BACKUP_FOLDER: z.string().min(1).optional(),
  BACKUP_COMMAND: z.string().min(1).optional(),
  BACKUP_BUCKET: z.string().min(1).max(2048).optional(),
  BACKUP_BUCKET_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .optional(),
  BACKUP_BUCKET_KEY_ID: z
    .string()
    .regex(/^[\w.+=@:-]{3,128}$/)
    .optional(),
  BACKUP_BUCKET_SECRET_FILE: z.string().min(1).optional(),
  BACKUP_HOUR: wholeNumber(0, 23),
  BACKUP_EVERY_HOURS: wholeNumber(1, 168),
  BACKUP_KEEP: wholeNumber(1, 10_000),
  BACKUP_KEEP_DAYS: wholeNumber(0, 3650),
}

type Given = { [Name in keyof typeof backupVariables]?: z.output<(typeof backupVariables)[Name]> }

const usual = { hour: 3, count: 14, days: 14 }

const ageKey = /^age1[02-9ac-hj-np-z]{58}$/

const isInside = (folder: string, outer: string): boolean => folder === outer || folder.startsWith(`${outer}/`)

/** Null without BACKUP_RECIPIENT; a sentence for the operator if the settings do not fit together. own: the folders of data and of keys. */
export function parseBackup(given: Given, own: readonly string[]): BackupSettings | { invalid: string } | null {
  if (given.BACKUP_RECIPIENT === undefined) {
    const alone = Object.entries(given).find(([name, value]) => name in backupVariables && value !== undefined)
    return alone
      ? { invalid: `BACKUP_RECIPIENT is missing: ${alone[0]} has no effect without it, because no backup is written unencrypted.` }
      : null
  }
  const recipient = parseRecipient(given.BACKUP_RECIPIENT)
  if ('invalid' in recipient) return recipient
  const target = parseTarget(given, own)
  if ('invalid' in target) return target
  if (given.BACKUP_HOUR !== undefined && given.BACKUP_EVERY_HOURS !== undefined)
    return { invalid: 'BACKUP_HOUR and BACKUP_EVERY_HOURS exclude each other: set one of them.' }
  return {
    recipient,
    target,
    schedule:
      given.BACKUP_EVERY_HOURS === undefined ? { atHour: given.BACKUP_HOUR ?? usual.hour } : { everyHours: given.BACKUP_EVERY_HOURS },
    keep: { count: given.BACKUP_KEEP ?? usual.count, days: given.BACKUP_KEEP_DAYS ?? usual.days },
  }
}

/** Never repeats the value: somebody may have put the secret key there. */
function parseRecipient(value: string): BackupSettings['recipient'] | { invalid: string } {
  if (ageKey.test(value)) return { program: 'age', key: value }
  if (isAbsolute(value)) return { program: 'gpg', keyFile: resolve(value) }
  if (value.toUpperCase().startsWith('AGE-SECRET-KEY-'))
    return {
      invalid: 'BACKUP_RECIPIENT is a secret key of age. Give the public key, which begins with age1, and keep the secret one elsewhere.',
    }
  return {
    invalid:
      'BACKUP_RECIPIENT is invalid: give a public key of age, which begins with age1, or the absolute path of a public key of OpenPGP.',
  }
}

function parseTarget(given: Given, own: readonly string[]): BackupSettings['target'] | { invalid: string } {
  const { BACKUP_FOLDER: folder, BACKUP_COMMAND: command, BACKUP_BUCKET: bucket } = given
  if ([folder, command, bucket].filter((each) => each !== undefined).length !== 1)
    return { invalid: 'Set one of BACKUP_FOLDER, BACKUP_BUCKET and BACKUP_COMMAND.' }
  const ofBucket = bucketVariables.find((name) => given[name] !== undefined)
  if (bucket === undefined && ofBucket !== undefined) return { invalid: `${ofBucket} has no effect without BACKUP_BUCKET.` }
  if (folder !== undefined) return parseFolder(folder, own)
  if (given.BACKUP_KEEP !== undefined || given.BACKUP_KEEP_DAYS !== undefined)
    return { invalid: 'BACKUP_KEEP and BACKUP_KEEP_DAYS are for BACKUP_FOLDER: Gatehouse deletes nothing elsewhere.' }
  if (bucket !== undefined) return parseBucket(bucket, given)
  if (command === undefined || !isAbsolute(command))
    return { invalid: 'BACKUP_COMMAND is invalid: give the absolute path of one program, without arguments.' }
  return { command: resolve(command) }
}

function parseFolder(folder: string, own: readonly string[]): { folder: string } | { invalid: string } {
  if (!isAbsolute(folder)) return { invalid: 'BACKUP_FOLDER is invalid: give an absolute path.' }
  const full = resolve(folder)
  return own.some((one) => isInside(full, one))
    ? { invalid: 'BACKUP_FOLDER must be outside GATEHOUSE_DATA and GATEHOUSE_KEYS.' }
    : { folder: full }
}

const bucketVariables = ['BACKUP_BUCKET_REGION', 'BACKUP_BUCKET_KEY_ID', 'BACKUP_BUCKET_SECRET_FILE'] as const

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const folderName = /^(?!\.{1,2}$)[\w.-]{1,200}$/

function parseBucket(address: string, given: Given): { bucket: BackupBucket } | { invalid: string } {
  const shape = 'BACKUP_BUCKET is invalid: give an address such as https://s3.example.com/BUCKET or https://s3.example.com/BUCKET/FOLDER.'
  if (!URL.canParse(address)) return { invalid: shape }
  const { protocol, username, password, search, hash, origin, pathname } = new URL(address)
  const [bucket = '', ...folders] = pathname.split('/').filter((part) => part !== '')
  const isPlain = username === '' && password === '' && search === '' && hash === ''
  if (!isPlain || !/^https?:$/.test(protocol) || !bucketName.test(bucket) || !folders.every((part) => folderName.test(part)))
    return { invalid: shape }
  const { BACKUP_BUCKET_KEY_ID: keyId, BACKUP_BUCKET_SECRET_FILE: secretFile, BACKUP_BUCKET_REGION: region = 'us-east-1' } = given
  if (keyId === undefined || secretFile === undefined)
    return { invalid: 'BACKUP_BUCKET needs BACKUP_BUCKET_KEY_ID, and BACKUP_BUCKET_SECRET_FILE with the secret of that access key.' }
  if (!isAbsolute(secretFile)) return { invalid: 'BACKUP_BUCKET_SECRET_FILE is invalid: give an absolute path.' }
  return { bucket: { endpoint: origin, bucket, folder: folders.join('/'), region, keyId, secretFile: resolve(secretFile) } }
}
