/** Copies of a site's backups outside of its server. Those of the server's own backups: server-backups.ts. */

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
  snapshotIds,
  targetAccess,
  targetFolder,
  targetHost,
  targetHostKey,
  targetKind,
  targetPort,
  targetPrivateKey,
  targetUser,
  text,
} from '@/lib/contract/fields'
import { maybeCount, maybeFlag, maybeText } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/** A user of an SFTP server. A target that is a folder has only its folder, which is a field of each operation. */
const sftp = {
  host: targetHost,
  port: targetPort,
  user: targetUser,
  access: targetAccess,
  host_key: targetHostKey,
  private_key: targetPrivateKey,
}

const bucket = {
  endpoint: bucketEndpoint,
  region: bucketRegion,
  bucket: bucketName,
  key_id: bucketKeyId,
  key_secret: bucketKeySecret,
}

/** A repository of restic at a target, and what opens it. */
export const repository = {
  kind: targetKind,
  // Of s3.
  ...bucket,
  ...sftp,
  folder: bucketFolder,
  password: repositoryPassword,
}

/** backup: its name. bytes, sha256: of its archive, not compressed. added: by how many the repository grew. */
export const madeCopy = z.object({ snapshot: maybeText, backup: maybeText, bytes: maybeCount, added: maybeCount, sha256: maybeText })

export const copies = subject('copies', {
  make: operation({
    method: 'POST',
    path: '/sites/{site_id}/copies',
    // The first copy makes the repository. The key only has to add, read and list, and to delete below `locks`.
    fields: { ...repository, limit: copyLimit },
    answer: madeCopy,
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
  test: operation({
    method: 'POST',
    path: '/servers/{server_id}/copies/test',
    // Of the kinds sftp and folder. A small file is written, overwritten, read, listed and deleted there. Without host_key: only asks which one an SFTP
    // server shows. maintenance_key: of SFTP, which the service itself tries then; the server does not get it.
    fields: { kind: targetKind, ...sftp, folder: targetFolder, maintenance_key: targetPrivateKey },
    // result: passed, shown if host_key was asked for, or why not. ahead: seconds by which the clock of the target is ahead, in digits, with a minus if it is behind;
    // by rclone it is not known. maintenance: passed, or why that key was refused; absent without one, or after a test that failed.
    answer: z.object({
      result: z.string(),
      host_key: maybeText,
      deletes: maybeFlag,
      overwrites: maybeFlag,
      ahead: maybeText,
      maintenance: maybeText,
    }),
    effect: 'change',
    pace: 'quick',
    description: 'Test a backup target from a server.',
    activity: ['Tested', 'Test', 'a backup target from the server'],
    extension: true,
    grantedWith: 'backups',
  }),
  prune: operation({
    method: 'POST',
    path: '/sites/prunecopies',
    // Of the service, because site and server may be gone. The service deletes from buckets and, by SFTP, from SFTP servers, with a key that no server gets. From a
    // folder the server of_server deletes, because nothing else reaches it. Those of a sandbox server are simulated.
    fields: {
      ...repository,
      snapshots: snapshotIds,
      of_server: text({ alwaysFrom: 'server.id', emptyIfAbsent: true }),
    },
    // removed: how many of the snapshots were there until now.
    answer: z.object({ removed: maybeCount }),
    effect: 'destroy',
    confirm: { field: 'snapshots' },
    pace: 'quick',
    patient: true,
    description: 'Delete copies from a repository outside of servers, and what only they need.',
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
