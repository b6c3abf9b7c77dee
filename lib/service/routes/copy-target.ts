/** The target of a copy, from the fields of an operation. */
import type { Input } from '@/lib/contract/operation'
import type { copies } from '@/lib/contract/operations/copies'
import type { CopyTarget } from '../machines/copy-target'
import type { Refusals } from './call'

type TestFields = Omit<Input<typeof copies.test>, 'server_id' | 'maintenance_key'>

type TargetFields = TestFields &
  Partial<Pick<Input<typeof copies.make>, 'endpoint' | 'region' | 'bucket' | 'key_id' | 'key_secret' | 'password' | 'limit'>>

/** As checkTarget admits them. */
export function targetOf({ folder, password = '', limit = '', ...given }: TargetFields): CopyTarget {
  const shared = { folder, password, limitKb: limit }
  if (given.kind === 'sftp') {
    const { host = '', port = '', user = '', host_key: hostKey = '', private_key: privateKey = '' } = given
    const access = given.access === 'rclone' ? 'rclone' : 'sftp'
    return { kind: 'sftp', host, port, user, access, hostKey, privateKey, ...shared }
  }
  if (given.kind === 'folder') return { kind: 'folder', ...shared }
  const { endpoint = '', region = '', bucket = '', key_id: keyId = '', key_secret: keySecret = '' } = given
  return { kind: 's3', endpoint, region, bucket, keyId, keySecret, ...shared }
}

/** Refuses a target that lacks something of its kind. */
export function checkTarget(given: TargetFields): Refusals {
  if (given.kind === 'folder') return { folder: given.folder.startsWith('/') ? null : 'Send a folder from the root of the server.' }
  if (given.kind === 'sftp') return requireFields(given, ['host', 'port', 'user', 'host_key', 'private_key'])
  const folder = given.folder.startsWith('/') ? 'Send a folder without a slash at its beginning.' : null
  return { ...requireFields(given, ['endpoint', 'region', 'bucket', 'key_id', 'key_secret']), folder }
}

/** The same for a test. Without a host key, only that is asked for. */
export function checkTestedTarget(given: TestFields): Refusals {
  if (given.kind === undefined || given.kind === 's3') return { kind: 'Send sftp or folder.' }
  if (given.kind === 'sftp' && given.host_key === undefined) return requireFields(given, ['host', 'port', 'user'])
  return checkTarget(given)
}

const requireFields = (given: TargetFields, names: readonly (keyof TargetFields)[]): Refusals =>
  Object.fromEntries(names.map((name) => [name, given[name] ? null : 'This field is missing.']))
