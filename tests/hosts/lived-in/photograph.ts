/** A snapshot of a host: files, rules, databases, units, kernel settings, and the answers of its listeners from outside. */
import type { Host } from '../lab/lab'
import { collectAnswers, type Listeners } from './answers'

export type Photograph = {
  /** By path: type, mode, owner, and the hash of a file or the target of a link. */
  files: ReadonlyMap<string, string>
  /** Files to which packages and other programs add lines: compared line by line. */
  registries: ReadonlyMap<string, readonly string[]>
  /** Hashes of files that belong to a package. */
  packaged: ReadonlySet<string>
  /** Paths in the manifest. */
  listed: ReadonlySet<string>
  rules: readonly string[]
  /** Empty if there is no database server. */
  databases: readonly string[]
  /** `unit state activity`. */
  units: readonly string[]
  failed: readonly string[]
  kernel: readonly string[]
  answers: readonly string[]
}

const folders = '/etc /home /opt /root /srv /usr/local /var/spool/cron /var/www'

/** New packages add their users, groups or libraries to these; existing lines must stay. */
const registryFiles = ['/etc/passwd', '/etc/group', '/etc/shadow', '/etc/gshadow', '/etc/subuid', '/etc/subgid', '/etc/shells']

const dumps = `systemctl -q is-active mariadb || exit 0
  mariadb -N -B -e "SHOW DATABASES; SELECT User, Host, Priv FROM mysql.global_priv ORDER BY 1, 2; SELECT * FROM mysql.db ORDER BY 1, 2, 3"
  for database in $(mariadb -N -B -e "SELECT schema_name FROM information_schema.schemata WHERE schema_name NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')"); do
    echo "$database $(mariadb-dump --skip-dump-date --routines --events "$database" | sha256sum)"
  done
  mariadb -N -B -e "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('bind_address', 'local_infile', 'skip_networking', 'sql_mode')"`

const units = `systemctl list-unit-files --state=enabled,disabled,masked --plain --no-legend | while read -r unit state _; do
    echo "$unit $state $(systemctl is-active "$unit")"
  done`

export async function photograph(host: Host, outsider: Host, what: { rules: string; listeners: Listeners }): Promise<Photograph> {
  const answers = await collectAnswers(host, outsider, what.listeners)
  const lines = async (command: string) => (await host.run(command)).stdout.split('\n').filter(Boolean)
  const registries = await Promise.all(registryFiles.map(async (path) => [path, await lines(`cat ${path}`)] as const))
  return {
    files: await readFiles(lines),
    registries: new Map(registries),
    packaged: new Set(
      await lines(
        `grep -hE '^/(etc|opt|srv|usr/local|var/www)(/|$)' /var/lib/dpkg/info/*.list; sed -n 's/^ \\(\\/[^ ]*\\) .*/\\1/p' /var/lib/dpkg/status`,
      ),
    ),
    listed: new Set(await lines(`sed -n 's/^[0-9a-f]\\{64\\}  //p' /etc/gatehouse/manifest`)),
    rules: await lines(what.rules),
    databases: await lines(dumps),
    units: await lines(units),
    failed: await lines('systemctl list-units --state=failed --plain --no-legend'),
    kernel: await lines(`sysctl -a --pattern '^net\\.ipv[46]\\.(ip_forward|conf\\.(all|default)\\.)' 2>/dev/null`),
    answers,
  }
}

async function readFiles(lines: (command: string) => Promise<string[]>): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const line of await lines(`find ${folders} -xdev -printf '%p\\t%y %m %u:%g %l\\n'`)) {
    const [path = '', what = ''] = line.split('\t')
    files.set(path, what.trim())
  }
  for (const line of await lines(`find ${folders} -xdev -type f -print0 | xargs -0 sha256sum --`)) {
    const path = line.slice(66)
    files.set(path, `${files.get(path)} ${line.slice(0, 16)}`)
  }
  return files
}
