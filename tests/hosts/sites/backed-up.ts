/** Backups of a site on a lab host: makes and restores them, and looks into its database. */
import { expect } from 'vitest'
import type { SiteBackup, SiteJobLine, SiteOnHost } from '@/lib/service/machines/sites'
import type { AdmittedHost } from '../reach'
import { backingUp, endOf, restoring } from './site-job'

/** Where a host keeps them. */
export const backupsFolder = '/var/backups/gatehouse-sites'

/** Everything that a dump has to bring back apart from rows. Their definers were somebody else. */
export const definitions = `
  CREATE TABLE state (id INT PRIMARY KEY AUTO_INCREMENT, word TEXT, bits BLOB); INSERT INTO state VALUES (1, 'old', X'00FF0A27');
  CREATE TABLE parent (id INT PRIMARY KEY); CREATE TABLE child (id INT, FOREIGN KEY (id) REFERENCES parent (id)); INSERT INTO parent VALUES (7);
  CREATE DEFINER = root@localhost VIEW words AS SELECT word FROM state;
  CREATE DEFINER = root@localhost FUNCTION twice (a INT) RETURNS INT DETERMINISTIC RETURN a * 2;
  CREATE DEFINER = root@localhost TRIGGER louder BEFORE INSERT ON state FOR EACH ROW SET NEW.word = UPPER(NEW.word);
  CREATE DEFINER = root@localhost EVENT nightly ON SCHEDULE EVERY 1 DAY DO DELETE FROM state WHERE id < 0`

export type Backups = {
  /** Runs a command on the host, which has to succeed; gives what it prints. */
  run(command: string, stdin?: string): Promise<string>
  /** Runs statements as root of MariaDB, in the database of the site unless another is named. */
  sql(statements: string, database?: string): Promise<string>
  newestOf(site?: SiteOnHost): Promise<SiteBackup>
  /** Makes one and gives its name. */
  backUp(site?: SiteOnHost): Promise<string>
  /** The last line of the job. */
  restore(name: string, backupFirst?: boolean): Promise<SiteJobLine | undefined>
}

/** admitted: asked at each call, because a test file has its host later. site: which one is meant where none is named. */
export function backupsOf(admitted: () => AdmittedHost, site: SiteOnHost): Backups {
  const run = async (command: string, stdin = ''): Promise<string> => {
    const { code, stdout, stderr } = await admitted().host.run(command, { stdin, timeoutMs: 120_000 })
    expect(code, stderr).toBe(0)
    return stdout
  }
  const newestOf = async (of = site): Promise<SiteBackup> => {
    const [newest] = await admitted().machine.sites.listBackups(of)
    if (!newest) throw new Error('There is no backup.')
    return newest
  }
  return {
    run,
    newestOf,
    sql: (statements, database = site.name) => run(`mariadb -N ${database}`, statements),
    async backUp(of = site) {
      expect(await endOf(admitted().machine, backingUp(of))).toMatchObject({ status: 'done' })
      return (await newestOf(of)).name
    },
    restore: (name, backupFirst = false) => endOf(admitted().machine, restoring(site, name, backupFirst)),
  }
}
