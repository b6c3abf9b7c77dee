/** The nightly backup on a lab host without a full install: its script and units, as the install creates them. */
import type { BackupList } from '@/lib/service/machines/backups'
import { readScript } from '@/lib/service/machines/debian/script'
import { nightlyBackup } from '@/lib/service/machines/debian/steps/nightly-backup/script'
import type { Host } from './lab/lab'
import type { AdmittedHost } from './reach'

const units = readScript('steps/backups.bash')

export async function putNightlyBackup(host: Host): Promise<void> {
  await host.run('cat >/usr/local/sbin/gatehouse-backup && chmod 755 /usr/local/sbin/gatehouse-backup', { stdin: nightlyBackup })
  await host.run('bash -s', {
    stdin: `${units}
      content_backup_service >"$backup_service"; content_backup_timer >"$backup_timer"
      systemctl daemon-reload; systemctl -q enable --now gatehouse-backup.timer`,
  })
}

/** Runs it as the timer does, and reads what the service would answer afterwards. `code` is the exit code of the unit. */
export async function backUp({ host, machine }: Pick<AdmittedHost, 'host' | 'machine'>): Promise<BackupList & { code: number }> {
  // Resets systemd's start counter, because it limits how often a unit may start.
  const { code } = await host.run('systemctl reset-failed; systemctl start gatehouse-backup.service', { timeoutMs: 120_000 })
  return { ...(await machine.backups.list()), code }
}

export const folder = '/var/backups/gatehouse'
