/** The address of a backup target, as its row stores it. */
import 'server-only'
import * as z from 'zod'
import type { BackupTarget } from '@/prisma/generated/portal/client'

/** endpoint: an origin. folder: in the bucket, without slashes at its ends; empty for the whole bucket. */
const bucketAddress = z.object({ endpoint: z.string(), region: z.string(), bucket: z.string(), folder: z.string() })

export type BucketAddress = z.infer<typeof bucketAddress>

/** The members always in the same order, because the credentials are bound to this text. */
export const writeAddress = ({ endpoint, region, bucket, folder }: BucketAddress): string =>
  JSON.stringify({ endpoint, region, bucket, folder })

/** Throws if the row was changed in the database. */
export const readAddress = ({ address }: Pick<BackupTarget, 'address'>): BucketAddress => bucketAddress.parse(JSON.parse(address))

/** "https://s3.example.org/backups/team". */
export const formatAddress = ({ endpoint, bucket, folder }: BucketAddress): string =>
  [endpoint, bucket, folder].filter((part) => part !== '').join('/')
