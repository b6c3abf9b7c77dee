/** Reads the form of a backup target. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import type { BackupTargetKeys, BucketKey, SftpKey } from '@/lib/portal/custody/backup-target'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { refuseFields } from '@/lib/portal/spine/refuse-fields'
import { parseHookUrl } from '@/lib/portal/upstream/address'
import { readKeyLine } from '@/lib/text/public-key'
import type { BucketAddress, FolderAddress, SftpAccess, SftpAddress, TargetAddress, TargetKind } from './address'

type Field = OwnInput['field']

const maxLabel = 60

/** Why a name is refused, or null. */
export function refuseLabel(label: string): string | null {
  if (label === '') return 'Enter a name.'
  if ([...label].length > maxLabel) return `Use at most ${maxLabel} characters.`
  return /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(label) ? 'Leave out invisible characters.' : null
}

/** Field: kind. */
export const readKind = (field: Field): TargetKind => {
  const kind = field('kind')
  return kind === 'sftp' || kind === 'folder' ? kind : 's3'
}

/** Fields: those of the kind, below. */
export function readTarget(kind: TargetKind, field: Field): Outcome<TargetAddress> {
  if (kind === 's3') return readBucket(field)
  return kind === 'sftp' ? readSftp(field) : readFolder(field)
}

/** Fields: host, port, user, path, access ("rclone" unless it is "sftp"), hostKey, which is empty until the member confirmed it. */
function readSftp(field: Field): Outcome<SftpAddress> {
  const [host, port, user] = [field('host').trim().toLowerCase(), field('port').trim() || '22', field('user').trim()]
  const [folder, hostKey] = [
    field('path')
      .trim()
      .replace(/(?<=.)\/+$/, ''),
    field('hostKey').trim(),
  ]
  const refused = refuseFields({
    host: isHost(host) ? null : 'Enter a host name, an IPv4 address or an IPv6 address.',
    port: /^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= 65_535 ? null : 'Enter a port from 1 to 65535.',
    user: /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}$/.test(user) ? null : 'Enter the name of a user.',
    path: folder === '/' || isFolder(folder.replace(/^\//, '')) ? null : folderRefusal,
    hostKey: hostKey === '' || fingerprintOf(hostKey) !== '' ? null : 'Use a host key of the type ED25519 or ECDSA.',
  })
  if (refused) return { ok: false, problem: refused }
  return { ok: true, data: { kind: 'sftp', host, port, user, folder: folder === '/' ? '' : folder, hostKey, access: readAccess(field) } }
}

/** Field: access. */
export const readAccess = (field: Field): SftpAccess => (field('access') === 'sftp' ? 'sftp' : 'rclone')

const isHost = (host: string): boolean => /^([a-z0-9]([a-z0-9.-]{0,252})|[0-9a-f.]*:[0-9a-f:.]{1,44})$/.test(host)

/** "SHA256:…"; empty for no host key of a type that is used. */
export function fingerprintOf(hostKey: string): string {
  if (!/^(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]+={0,2}$/.test(hostKey)) return ''
  return readKeyLine(hostKey)?.key.fingerprint ?? ''
}

/** Field: path. */
function readFolder(field: Field): Outcome<FolderAddress> {
  const folder = field('path').trim().replace(/\/+$/, '')
  const isAbsolute = folder.startsWith('/') && isFolder(folder.slice(1)) && folder !== ''
  const refused = refuseFields({ path: isAbsolute ? null : `Enter a path from the root, such as /mnt/backups. ${folderRefusal}` })
  return refused ? { ok: false, problem: refused } : { ok: true, data: { kind: 'folder', folder } }
}

const folderRefusal = 'Use letters, digits, dots, hyphens and underscores, with slashes between folders.'

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
    folder: isFolder(folder) ? null : folderRefusal,
  })
  if (refused) return { ok: false, problem: refused }
  return 'code' in parsed
    ? { ok: false, problem: parsed }
    : { ok: true, data: { kind: 's3', endpoint: parsed.target.origin, region, bucket, folder } }
}

const isFolder = (folder: string): boolean =>
  folder.length <= 200 && (folder === '' || folder.split('/').every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part)))

/** Fields: those of the kind, below; a folder has none. */
export function readKeys(kind: TargetKind, field: Field): Outcome<BackupTargetKeys> {
  if (kind === 's3') return readBucketKeys(field)
  return kind === 'sftp' ? readSftpKeys(field) : { ok: true, data: { kind } }
}

/** Fields: serverPrivateKey, maintenancePrivateKey. */
function readSftpKeys(field: Field): Outcome<BackupTargetKeys> {
  const read = (name: string): SftpKey => ({ privateKey: bodyOf(field(name)) })
  const [server, maintenance] = [read('serverPrivateKey'), read('maintenancePrivateKey')]
  const same = server.privateKey === maintenance.privateKey
  const refused = refuseFields({
    serverPrivateKey: refusePrivateKey(server),
    maintenancePrivateKey: refusePrivateKey(maintenance) ?? (same ? otherKey : null),
  })
  return refused ? { ok: false, problem: refused } : { ok: true, data: { kind: 'sftp', server, maintenance } }
}

const otherKey = 'Use another key than the servers get: one that may delete.'

/** A password field makes one line of a file. */
const bodyOf = (text: string): string =>
  (/^\s*-+BEGIN OPENSSH PRIVATE KEY-+([A-Za-z0-9+/=\s]+)-+END OPENSSH PRIVATE KEY-+\s*$/.exec(text)?.[1] ?? '').replace(/\s/g, '')

const beginning = 'openssh-key-v1\0'
const maxKeyLength = 1000

function refusePrivateKey({ privateKey }: SftpKey): string | null {
  const content = Buffer.from(privateKey, 'base64')
  const isKey = content.toString('latin1', 0, beginning.length) === beginning
  if (!isKey) return 'Enter a private key in the format of OpenSSH, with its first and last line.'
  const cipher = content.toString('latin1', beginning.length + 4, beginning.length + 8)
  if (cipher !== 'none') return 'This key has a passphrase. Enter one without.'
  return privateKey.length > maxKeyLength ? 'This key is too long. Create an ED25519 key.' : null
}

/** Fields: serverKeyId, serverKeySecret, maintenanceKeyId, maintenanceKeySecret. */
export function readBucketKeys(field: Field): Outcome<Extract<BackupTargetKeys, { kind: 's3' }>> {
  const read = (name: string): BucketKey => ({ accessKeyId: field(`${name}Id`).trim(), secretAccessKey: field(`${name}Secret`).trim() })
  const keys = { server: read('serverKey'), maintenance: read('maintenanceKey') }
  const same = keys.server.accessKeyId === keys.maintenance.accessKeyId
  const refused = refuseFields({
    serverKeyId: refuseKeyId(keys.server),
    serverKeySecret: refuseSecret(keys.server),
    maintenanceKeyId: refuseKeyId(keys.maintenance) ?? (same ? otherKey : null),
    maintenanceKeySecret: refuseSecret(keys.maintenance),
  })
  return refused ? { ok: false, problem: refused } : { ok: true, data: { kind: 's3', ...keys } }
}

// The id is part of a header, where a slash or a comma separates.
const refuseKeyId = ({ accessKeyId }: BucketKey): string | null =>
  /^[\w.+=@:-]{3,128}$/.test(accessKeyId) ? null : 'Enter the id of an access key.'

const refuseSecret = ({ secretAccessKey }: BucketKey): string | null =>
  /^[\x21-\x7e]{8,256}$/.test(secretAccessKey) ? null : 'Enter the secret of this access key.'
