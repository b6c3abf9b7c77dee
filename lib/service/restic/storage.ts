/** How restic on the service's machine reaches a target: what it gets for one run, and nothing that outlasts it. */
import type { BucketTarget, RemoteTarget } from '../machines/copy-target'
import { openGate } from './gate'
import type { Resolve } from './resolve'
import type { Storage } from './run'
import { openSession } from './session'

/** Throws MachineFailure if an address of the target is forbidden, or, by SFTP, if the login fails. */
export const openStorage = (target: RemoteTarget, resolve: Resolve): Promise<Storage> =>
  target.kind === 's3' ? throughGate(target, resolve) : openSession(target, resolve)

/** Amazon and Google have a name for each bucket, which restic prefers. The gate leads to the endpoint alone. */
const bucketInPath = ['-o', 's3.bucket-lookup=path']

async function throughGate(target: BucketTarget, resolve: Resolve): Promise<Storage> {
  const { endpoint, bucket, folder, region, keyId, keySecret } = target
  const gate = await openGate(endpoint, resolve)
  return {
    repository: `s3:${endpoint}/${bucket}/${folder}`,
    options: bucketInPath,
    environment: {
      AWS_ACCESS_KEY_ID: keyId,
      AWS_SECRET_ACCESS_KEY: keySecret,
      AWS_DEFAULT_REGION: region,
      HTTP_PROXY: gate.url,
      HTTPS_PROXY: gate.url,
    },
    [Symbol.asyncDispose]: () => gate[Symbol.asyncDispose](),
  }
}
