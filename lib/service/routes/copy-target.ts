/** The target of a copy, from the fields of an operation. */
import type { Input } from '@/lib/contract/operation'
import type { copies } from '@/lib/contract/operations/copies'
import type { CopyTarget } from '../machines/copy-target'
import type { Refusals } from './call'

type TargetFields = Omit<Input<typeof copies.test>, 'server_id'> & { password?: string; limit?: string }

/** As checkTarget admits them. */
export function targetOf({ folder, password = '', limit = '', ...given }: TargetFields): CopyTarget {
  const shared = { folder, password, limitKb: limit }
  const { host, port, user, host_key: hostKey, private_key: privateKey } = given
  if (given.kind === 'sftp') return { kind: 'sftp', host, port, user, hostKey, privateKey, ...shared }
  if (given.kind === 'folder') return { kind: 'folder', ...shared }
  const { endpoint, region, bucket, key_id: keyId, key_secret: keySecret } = given
  return { kind: 's3', endpoint, region, bucket, keyId, keySecret, ...shared }
}

/** Refuses a target that lacks something of its kind. */
export function checkTarget(given: TargetFields): Refusals {
  const missing = (...names: (keyof TargetFields)[]): Refusals =>
    Object.fromEntries(names.map((name) => [name, given[name] ? null : 'This field is missing.']))
  if (given.kind === 'folder') return { folder: given.folder.startsWith('/') ? null : 'Send a folder from the root of the server.' }
  if (given.kind === 'sftp') return missing('host', 'port', 'user', 'host_key', 'private_key')
  const folder = given.folder.startsWith('/') ? 'Send a folder without a slash at its beginning.' : null
  return { ...missing('endpoint', 'region', 'bucket', 'key_id', 'key_secret'), folder }
}
