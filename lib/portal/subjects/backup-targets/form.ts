/** Reads the form of a backup target. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import type { BackupTargetKeys, BucketKey } from '@/lib/portal/custody/backup-target'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { refuseFields } from '@/lib/portal/spine/refuse-fields'
import { parseHookUrl } from '@/lib/portal/upstream/address'
import type { BucketAddress } from './address'

type Field = OwnInput['field']

const maxLabel = 60

/** Why a name is refused, or null. */
export function refuseLabel(label: string): string | null {
  if (label === '') return 'Enter a name.'
  if ([...label].length > maxLabel) return `Use at most ${maxLabel} characters.`
  return /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(label) ? 'Leave out invisible characters.' : null
}

/** Fields: endpoint, region, bucket, folder. */
export function readBucket(field: Field): Outcome<BucketAddress> {
  const [bucket, region] = [field('bucket').trim(), field('region').trim() || 'us-east-1']
  const folder = field('folder')
    .trim()
    .replace(/^\/+|\/+$/g, '')
  const parsed = parseHookUrl(field('endpoint').trim().replace(/\/+$/, ''), true, 'a copy')
  const endpoint =
    'code' in parsed ? parsed.sentence : parsed.path === '/' ? null : 'Enter the address without a path: the bucket has a field below.'
  const refused = refuseFields({
    endpoint,
    region: /^[a-z0-9-]{1,40}$/.test(region) ? null : 'Enter a region such as eu-central-1.',
    bucket: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)
      ? null
      : 'Enter the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens.',
    folder: isFolder(folder) ? null : 'Use letters, digits, dots, hyphens and underscores, with slashes between folders.',
  })
  if (refused) return { ok: false, problem: refused }
  return 'code' in parsed ? { ok: false, problem: parsed } : { ok: true, data: { endpoint: parsed.target.origin, region, bucket, folder } }
}

const isFolder = (folder: string): boolean =>
  folder.length <= 200 && (folder === '' || folder.split('/').every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part)))

/** Fields: serverKeyId, serverKeySecret, maintenanceKeyId, maintenanceKeySecret. */
export function readKeys(field: Field): Outcome<BackupTargetKeys> {
  const read = (name: string): BucketKey => ({ accessKeyId: field(`${name}Id`).trim(), secretAccessKey: field(`${name}Secret`).trim() })
  const keys = { server: read('serverKey'), maintenance: read('maintenanceKey') }
  const same = keys.server.accessKeyId === keys.maintenance.accessKeyId
  const refused = refuseFields({
    serverKeyId: refuseKeyId(keys.server),
    serverKeySecret: refuseSecret(keys.server),
    maintenanceKeyId: refuseKeyId(keys.maintenance) ?? (same ? 'Use another key than the servers get: one that may delete.' : null),
    maintenanceKeySecret: refuseSecret(keys.maintenance),
  })
  return refused ? { ok: false, problem: refused } : { ok: true, data: keys }
}

// The id is part of a header, where a slash or a comma separates.
const refuseKeyId = ({ accessKeyId }: BucketKey): string | null =>
  /^[\w.+=@:-]{3,128}$/.test(accessKeyId) ? null : 'Enter the id of an access key.'

const refuseSecret = ({ secretAccessKey }: BucketKey): string | null =>
  /^[\x21-\x7e]{8,256}$/.test(secretAccessKey) ? null : 'Enter the secret of this access key.'
