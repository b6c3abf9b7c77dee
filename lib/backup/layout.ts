/** The files of a backup: their names in it and their paths in a running Gatehouse. */
import { copyName } from '@/lib/database/copy-place'
import { type DatabasePlace, portalPlace, servicePlace } from '@/lib/database/place'
import type { Settings } from '@/lib/settings/settings'

export type BackupFile = {
  /** Within the backup's folder. */
  name: string
  /** The path in a running Gatehouse. */
  place: string
  mode: 0o400 | 0o600
}

/** A file, or a dump of a database on PostgreSQL. */
export type BackupDatabase = { half: 'portal' | 'service'; name: string; place: DatabasePlace }

export type BackupLayout = { heads: readonly BackupFile[]; databases: readonly BackupDatabase[]; keys: readonly BackupFile[] }

/** Of either engine. */
export const databaseNames = ['portal.db', 'portal.pgdump', 'service.db', 'service.pgdump']

/**
 * The databases go into one folder and the keys that decrypt them into another, so that a thief of one does not have both. The heads of
 * the audit log are stored with the databases but copied first, so that none refers to a row that the copied database lacks.
 */
export function backupLayout(settings: Settings): BackupLayout {
  const [portal, service] = [portalPlace(settings), servicePlace(settings)]
  return {
    heads: [{ name: 'portal-audit-heads', place: settings.portalAuditHeads, mode: 0o600 }],
    databases: [
      { half: 'portal', name: copyName('portal', portal), place: portal },
      { half: 'service', name: copyName('service', service), place: service },
    ],
    keys: [
      { name: 'portal-kek.key', place: settings.portalKekFile, mode: 0o400 },
      { name: 'portal-kek.old.key', place: settings.portalOldKekFile, mode: 0o400 },
      { name: 'portal-session.key', place: settings.sessionSecretFile, mode: 0o400 },
      { name: 'service-kek.key', place: settings.serviceKekFile, mode: 0o400 },
      { name: 'service-kek.old.key', place: settings.serviceOldKekFile, mode: 0o400 },
    ],
  }
}

/** A backup cannot be made or restored; the message is one line for the operator. */
export class BackupError extends Error {}
