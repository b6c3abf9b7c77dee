/** Archives of a site as somebody else could make them: a backup with entries added, or with another manifest. */
import { backupsFolder } from './backed-up'

/**
 * from, to: names of backups; the second one is written. make: makes files in an empty folder, with their owners and modes. names: those of them
 * that become entries. manifest: a command that changes the file of that name.
 */
export type ArchiveChange = { from: string; to: string; make?: string; names?: readonly string[]; manifest?: string }

/** The command that writes it. */
export const changeArchive = ({ from, to, make = 'true', names = [], manifest = 'true' }: ArchiveChange): string =>
  `rm -rf /root/changed && mkdir -p /root/changed/made && cd /root/changed && zstd -qdc ${backupsFolder}/${from} >archive.tar &&
  tar -xf archive.tar manifest && tar --delete -f archive.tar manifest && (${manifest}) && (cd made && ${make}) &&
  tar -rf archive.tar --numeric-owner manifest && tar -rf archive.tar --numeric-owner --no-recursion -C made -T - <<<'${names.join('\n')}' &&
  zstd -qf archive.tar -o ${backupsFolder}/${to} && rm -r /root/changed`
