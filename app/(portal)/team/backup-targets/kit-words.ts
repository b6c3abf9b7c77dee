import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'

/** What a recovery kit has, and what whoever finds it can do. The key of SFTP alone deletes as well. */
export function describeKit({ kind, access, label }: Pick<BackupTargetView, 'kind' | 'access' | 'label'>): string {
  const content = kind === 'folder' ? 'the folder' : 'the address, the server key'
  const rights = access === 'sftp' ? 'read and delete' : 'read'
  return `The kit has ${content} and the passwords of ${label}, and the commands that restore its copies with restic, without Gatehouse. Print it, or store it offline. Whoever has it can ${rights} the copies.`
}
