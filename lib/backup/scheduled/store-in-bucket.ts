/** Stores an archive in an S3-compatible bucket: one signed request, whose body the bucket compares with its hash. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { signS3 } from '@/lib/s3/sign'
import type { BackupBucket } from '@/lib/settings/backup'
import { type FailureReason, ScheduledBackupError } from './failure'

/** S3 takes no more in one request. */
const maxBytes = 5 * 2 ** 30

/** A bucket that takes or says nothing for so long is away. */
const idleMs = 120_000

type Archive = { name: string; file: string; bytes: number; stop: AbortSignal }

/** Throws ScheduledBackupError. */
export async function storeInBucket(bucket: BackupBucket, archive: Archive): Promise<void> {
  const { name, file, bytes, stop } = archive
  if (bytes > maxBytes)
    throw new ScheduledBackupError('bucket_refused', `The archive of ${bytes} bytes is too large for one request of S3.`)
  const secret = await readFile(bucket.secretFile, 'utf8').catch((cause: unknown) => {
    throw new ScheduledBackupError('bucket_refused', 'The file BACKUP_BUCKET_SECRET_FILE cannot be read.', { cause })
  })
  const signer = { region: bucket.region, accessKeyId: bucket.keyId, secretAccessKey: secret.trim() }
  const path = `/${[bucket.bucket, bucket.folder, name].filter((part) => part !== '').join('/')}`
  const { host } = new URL(bucket.endpoint)
  const signed = signS3({ method: 'PUT', host, path, bodyHash: await hashOf(file) }, signer, new Date())
  const answer = await send(new URL(signed.path, bucket.endpoint), { headers: { ...signed.headers, 'content-length': bytes }, file, stop })
  if (answer.status !== 200) throw new ScheduledBackupError(reasonOf(answer), `The bucket answered ${answer.status} ${answer.code}.`)
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

type Answer = { status: number; code: string }

type Sent = { headers: Record<string, string | number>; file: string; stop: AbortSignal }

async function send(url: URL, { headers, file, stop }: Sent): Promise<Answer> {
  const request = (url.protocol === 'http:' ? overHttp : overHttps)(url, { method: 'PUT', headers, signal: stop })
  request.setTimeout(idleMs, () => request.destroy(new Error('The bucket neither took nor said anything for two minutes.')))
  const answered = new Promise<Answer>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('error', reject)
      response.on('data', (part: string) => {
        if (text.length < 10_000) text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, code: /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ?? '' }))
    })
  })
  // A bucket that refuses may answer before it has everything, and then close.
  const [answer, sent] = await Promise.allSettled([answered, pipeline(createReadStream(file), request)])
  // One that says it has stored what it did not take has not.
  const isAnswer = answer.status === 'fulfilled' && (answer.value.status !== 200 || sent.status === 'fulfilled')
  if (isAnswer) return answer.value
  if (stop.aborted) throw new ScheduledBackupError('too_long', 'Storing took too long.')
  const cause: unknown = sent.status === 'rejected' ? sent.reason : answer.status === 'rejected' ? answer.reason : null
  throw new ScheduledBackupError('bucket_away', cause instanceof Error ? cause.message : String(cause), { cause })
}

const isFull = /^(QuotaExceeded|InsufficientStorage|XMinioStorageFull)$/

function reasonOf({ status, code }: Answer): FailureReason {
  if (status === 507 || isFull.test(code)) return 'bucket_full'
  return status === 400 || status === 401 || status === 403 || status === 404 ? 'bucket_refused' : 'bucket_away'
}
