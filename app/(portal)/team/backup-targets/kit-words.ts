import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'

/** What a recovery kit has, and what whoever finds it can do. Only a bucket can keep its server key from deleting. */
export function describeKit({ kind, label }: Pick<BackupTargetView, 'kind' | 'label'>): string {
  const content = kind === 'folder' ? 'the folder' : 'the address, the server key'
  const rights = kind === 'sftp' ? 'read and delete' : 'read'
  return `The kit has ${content} and the passwords of ${label}, and the commands that restore its copies with restic, without Gatehouse. Print it, or store it offline. Whoever has it can ${rights} the copies.`
}
