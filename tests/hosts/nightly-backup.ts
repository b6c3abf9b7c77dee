/** The nightly backup on a lab host without a full install: the host program with Debian’s Python, its script and units, as the install creates them. */
import type { BackupList } from '@/lib/service/machines/backups'
import { hostVersion, renderPackage } from '@/lib/service/machines/debian/host/package'
import { readScript } from '@/lib/service/machines/debian/script'
import type { Host } from './lab/lab'
import type { AdmittedHost } from './reach'

const program = readScript('host/program.bash')
const units = readScript('steps/backups.bash')

/** A pristine Debian 13 has none. */
const python =
  'command -v python3 || { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends python3; }'

/** Throws if the host does not take one of its parts. */
export async function putNightlyBackup(host: Host): Promise<void> {
  const put = async (command: string, stdin = '') => {
    const { code, stderr } = await host.run(command, { stdin, timeoutMs: 240_000 })
    if (code !== 0) throw new Error(`The host did not take the nightly backup: ${stderr}`)
  }
  await put(python)
  await put('bash -s', `set -e\n${program}\nbase64 -d <<'END' | put_program ${hostVersion}\n${renderPackage()}\nEND\n`)
  await put(
    'bash -s',
    `${units}
      package_home=/usr/lib/gatehouse/${hostVersion}; . $package_home/texts.bash
      content_backup >"$backup_script"; chmod 755 "$backup_script"
      content_backup_service >"$backup_service"; content_backup_timer >"$backup_timer"
      systemctl daemon-reload; systemctl -q enable --now gatehouse-backup.timer`,
  )
}

/** Runs it as the timer does, and reads what the service would answer afterwards. `code` is the exit code of the unit. */
export async function backUp({ host, machine }: Pick<AdmittedHost, 'host' | 'machine'>): Promise<BackupList & { code: number }> {
  // Resets systemd's start counter, because it limits how often a unit may start.
  const { code } = await host.run('systemctl reset-failed; systemctl start gatehouse-backup.service', { timeoutMs: 120_000 })
  return { ...(await machine.backups.list()), code }
}

export const folder = '/var/backups/gatehouse'
