/** Why a scheduled backup failed. */

/** Stored, and shown as a sentence: a code, because paths and what programs print are for the process log alone. */
export const failureReasons = [
  'copy',
  'encryption',
  'folder',
  'disk_full',
  'command',
  'bucket_away',
  'bucket_refused',
  'bucket_full',
  'too_long',
  'interrupted',
] as const

export type FailureReason = (typeof failureReasons)[number]

/** The message is for the process log. */
export class ScheduledBackupError extends Error {
  override name = 'ScheduledBackupError'
  constructor(
    readonly reason: FailureReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const sentences: Readonly<Record<FailureReason, string>> = {
  copy: 'The databases or keys could not be copied.',
  encryption: 'age or gpg could not encrypt it.',
  folder: 'The folder could not be written.',
  disk_full: 'A disk was full.',
  command: 'The backup command ended with an error.',
  bucket_away: 'The bucket didn’t respond, or not as S3 does.',
  bucket_refused: 'The bucket refused the access key. Check the key, its policy, the region, and the clock of this machine.',
  bucket_full: 'The bucket is full.',
  too_long: 'It took too long and was stopped.',
  interrupted: 'Gatehouse ended while it was being made.',
}

/** A sentence for the page; a newer service may send a reason that this version does not know. */
export const describeFailure = (reason: string): string =>
  Object.hasOwn(sentences, reason) ? sentences[reason as FailureReason] : 'The reason is in the log.'
