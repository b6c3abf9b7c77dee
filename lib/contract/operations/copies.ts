/** Copies of a site's backups outside of its server. */

import * as z from 'zod'
import {
  archiveHash,
  bucketEndpoint,
  bucketFolder,
  bucketKeyId,
  bucketKeySecret,
  bucketName,
  bucketRegion,
  copyLimit,
  extensionFlag,
  repositoryPassword,
  snapshotId,
  text,
} from '@/lib/contract/fields'
import { maybeCount, maybeText } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/** A repository of restic in a bucket of S3, and what opens it. */
const repository = {
  endpoint: bucketEndpoint,
  region: bucketRegion,
  bucket: bucketName,
  folder: bucketFolder,
  key_id: bucketKeyId,
  key_secret: bucketKeySecret,
  password: repositoryPassword,
}

export const copies = subject('copies', {
  make: operation({
    method: 'POST',
    path: '/sites/{site_id}/copies',
    // The first copy makes the repository. The key only has to add, read and list, and to delete below `locks`.
    fields: { ...repository, limit: copyLimit },
    // backup: its name. bytes, sha256: of its archive, not compressed. added: by how many the repository grew.
    answer: z.object({ snapshot: maybeText, backup: maybeText, bytes: maybeCount, added: maybeCount, sha256: maybeText }),
    effect: 'change',
    pace: 'slow',
    description: 'Copy the newest verified backup of a site to a repository outside of its server.',
    extension: true,
    grantedWith: 'backups',
  }),
  restore: operation({
    method: 'POST',
    path: '/sites/{site_id}/copies/restore',
    // backup: its name when it was copied; it has to be one of a site with this domain. It becomes a backup of the site, which stays there, if it has the
    // hash that the copy answered.
    fields: { ...repository, snapshot: snapshotId, backup: text(), sha256: archiveHash, backup_first: extensionFlag },
    // kept: where the replaced site is on the server, for 24 hours.
    answer: z.object({ kept: maybeText }),
    effect: 'destroy',
    confirm: 'name',
    pace: 'slow',
    description: 'Restore a site from a copy outside of its server.',
    extension: true,
    grantedWith: 'backups',
  }),
  prove: operation({
    method: 'POST',
    path: '/sites/{site_id}/copies/prove',
    // As of a restore.
    fields: { ...repository, snapshot: snapshotId, backup: text(), sha256: archiveHash },
    // verdict: `good`, `bad`, `postponed` if it would have hurt the server now, or `unchecked` if the copy could not be read. cause: a word. reason: a sentence.
    answer: z.object({ verdict: maybeText, cause: maybeText, reason: maybeText }),
    effect: 'change',
    pace: 'slow',
    description: 'Prove that a site could be restored from a copy outside of its server, without touching the site.',
    extension: true,
    grantedWith: 'backups',
  }),
})
