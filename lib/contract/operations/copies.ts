/** Copies of a site's backups outside of its server. */

import * as z from 'zod'
import {
  bucketEndpoint,
  bucketFolder,
  bucketKeyId,
  bucketKeySecret,
  bucketName,
  bucketRegion,
  copyLimit,
  repositoryPassword,
} from '@/lib/contract/fields'
import { maybeCount, maybeText } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

export const copies = subject('copies', {
  make: operation({
    method: 'POST',
    path: '/sites/{site_id}/copies',
    // A repository of restic in a bucket of S3, which the first copy makes. The key only has to add, read and list, and to delete below `locks`.
    fields: {
      endpoint: bucketEndpoint,
      region: bucketRegion,
      bucket: bucketName,
      folder: bucketFolder,
      key_id: bucketKeyId,
      key_secret: bucketKeySecret,
      password: repositoryPassword,
      limit: copyLimit,
    },
    // backup: its name. bytes: of its archive, not compressed. added: by how many the repository grew.
    answer: z.object({ snapshot: maybeText, backup: maybeText, bytes: maybeCount, added: maybeCount }),
    effect: 'change',
    pace: 'slow',
    description: 'Copy the newest verified backup of a site to a repository outside of its server.',
    extension: true,
    grantedWith: 'backups',
  }),
})
