/** The sites on a real host whose data is copied for the bench. */
import type { AdmittedHost } from '../hosts/reach'
import type { Target } from '../service/support/caller'
import { createSite, listSites } from '../service/support/slow-work'
import { median } from './figure'
import type { TimedJob } from './site-steps'

/** Of how many turns a figure is the median. */
export const turns = 3

export type Site = { id: string; user: string }
export type Measured = { admitted: AdmittedHost; service: Target & { id: string } }

export async function newSite({ service, admitted }: Measured, domain: string): Promise<Site> {
  await createSite(service, { domain, server: service.id, password: 'measured for the bench' })
  const id = (await listSites(service)).find((site) => site.domain === domain)?.id
  if (!id) throw new Error(`${domain} was not created.`)
  const { stdout } = await admitted.host.run(`dirname "$(grep -lx 'domain ${domain}' /etc/gatehouse/sites/*/site)" | xargs basename`)
  return { id, user: stdout.trim() }
}

/** Runs a command on the host, not by the service. Rejects if it fails. */
export const must = async ({ admitted }: Measured, command: string): Promise<string> => {
  const { code, stdout, stderr } = await admitted.host.run(command, { timeoutMs: 600_000 })
  if (code !== 0) throw new Error(stderr)
  return stdout
}

/** 5,000 files of 36 KB and 20,000 rows of 1 KB. */
export async function fill(measured: Measured, { user }: Site): Promise<void> {
  await must(
    measured,
    `cd /home/${user}/public && for folder in {1..50}; do mkdir $folder && head -c 1843200 /dev/urandom | split -b 18432 -a 2 -d - $folder/; done
    for file in */*; do { cat $file; head -c 9216 $file | base64 -w 0; head -c 6144 /dev/zero; } >$file.new && mv $file.new $file; done
    chown -R ${user}: /home/${user}/public
    mariadb ${user} -e "CREATE TABLE rows_of_data (id INT PRIMARY KEY AUTO_INCREMENT, text TEXT); INSERT INTO rows_of_data (text) SELECT CONCAT(REPEAT('words ', 80), HEX(RANDOM_BYTES(256))) FROM seq_1_to_20000"`,
  )
}

/** 50,000 files of 1 KB. */
export async function fillWithSmallFiles(measured: Measured, { user }: Site): Promise<void> {
  await must(
    measured,
    `cd /home/${user}/public && for folder in {1..500}; do mkdir $folder && head -c 102400 /dev/urandom | split -b 1024 -a 2 -d - $folder/; done
    chown -R ${user}: /home/${user}/public`,
  )
}

export const medianMs = (jobs: readonly Pick<TimedJob, 'ms'>[]): number => median(jobs.map(({ ms }) => ms))

/** Bare programs that dump and archive a site, and those that unpack an archive and load its dump; both end on the disk. */
export const bare = {
  archive: ({ user }: Site) =>
    `set -o pipefail; rm -rf /var/backups/bare*; cd /home/${user} && mariadb-dump --single-transaction ${user} >/var/backups/bare.sql && tar -cf - public private /var/backups/bare.sql 2>/dev/null | zstd -q -3 -T0 >/var/backups/bare.tar.zst && sync /var/backups/bare.tar.zst`,
  unpack:
    'set -o pipefail; mkdir /var/backups/bare && zstd -q -dc /var/backups/bare.tar.zst | tar -C /var/backups/bare -xf - && sync -f /var/backups/bare && mariadb -e "CREATE OR REPLACE DATABASE bare" && mariadb bare </var/backups/bare/var/backups/bare.sql',
  remove: 'rm -rf /var/backups/bare*; mariadb -e "DROP DATABASE IF EXISTS bare"',
}
