/** Creates and deletes sites on a lab host as the service does, and visits them from outside. */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { createConnection } from 'node:net'
import type { Machine } from '@/lib/service/machines/machine'
import type { Authority, SiteJobLine, SiteOnHost, SiteSettings, SiteWork } from '@/lib/service/machines/sites'
import type { Host } from '../lab/lab'

/** Any text in one line is a password. */
export const sitePassword = `Pass ü$(id)"'1`
export const databasePassword = `db-"'\\$(id)\`ü`

export const siteNamed = (name: string, domain: string, aliases: readonly string[] = []): SiteOnHost => ({
  id: `id-of-${name}`,
  name,
  domain,
  aliases,
})

/** The tag of the account that sites of these tests belong to. */
const siteOwner = '0f'.repeat(16)

export const creation = (site: SiteOnHost, wwwRedirect = false): SiteWork => ({
  kind: 'create',
  site,
  password: sitePassword,
  databasePassword,
  owner: siteOwner,
  wwwRedirect,
  restored: null,
})
export const deletion = (site: SiteOnHost, backup = true): SiteWork => ({
  kind: 'delete',
  site,
  backup,
  owner: siteOwner,
})

/** As a new site has them, or, where null, as they are. */
export const changingSettings = (site: SiteOnHost, php: string, given: Partial<SiteSettings>): SiteWork => ({
  kind: 'settings',
  site,
  settings: {
    php,
    uploadMb: 64,
    memoryMb: 256,
    folder: '',
    workers: null,
    waiting: null,
    wwwRedirect: null,
    hstsSeconds: null,
    mailPerHour: null,
    ...given,
  },
})

export const backingUp = (site: SiteOnHost): SiteWork => ({ kind: 'backup', site })

/** A command that leaves no backup of any site. */
export const removeBackups = 'find /var/backups/gatehouse-sites -mindepth 1 -delete'

const noAuthority = { directory: '', roots: '', contact: '' }

/** taken: names that other sites of the account have. */
export const restoring = (
  site: SiteOnHost,
  backup: string,
  backupFirst = false,
  { taken = [], authority = noAuthority }: { taken?: readonly string[]; authority?: Authority } = {},
): SiteWork => ({ kind: 'restore', site, backup, backupFirst, taken, authority, copy: null })

/** Serves the site by the names it has; `later`: without a new certificate. */
export const naming = (site: SiteOnHost, authority: Authority = noAuthority, later = false): SiteWork => ({
  kind: 'names',
  site,
  later,
  authority,
  refused: [],
})

export const switchingSsl = (site: SiteOnHost, on: boolean, authority: Authority): SiteWork => ({
  kind: 'ssl',
  site,
  on,
  authority,
  refused: [],
})

/** A copy that is not there yet. */
export const pulling = (site: SiteOnHost, copy: SiteOnHost, authority: Authority): SiteWork => ({
  kind: 'pull',
  site,
  copy,
  authority,
  refused: [],
  isNew: true,
  password: 'for browsers',
  parts: { files: true, database: true, tables: [] },
})
export const pushing = (site: SiteOnHost, copy: SiteOnHost, tables: readonly string[], replace = false): SiteWork => ({
  kind: 'push',
  site,
  copy,
  replace,
  parts: { files: true, database: true, tables },
})

export const switchingEmail = (site: SiteOnHost, on: boolean): SiteWork => ({ kind: 'email', site, on })

/** Runs a job to its end. Waits for `onLine` before it reads the next line; the job itself does not wait. */
export async function runJob(
  { sites }: Pick<Machine, 'sites'>,
  work: SiteWork,
  onLine?: (line: SiteJobLine) => Promise<void>,
): Promise<SiteJobLine[]> {
  const jobId = randomUUID()
  await sites.start(jobId, work)
  const lines: SiteJobLine[] = []
  for await (const line of sites.follow(jobId, 0, new AbortController().signal)) {
    lines.push(line)
    await onLine?.(line)
  }
  await sites.forget(jobId)
  return lines
}

export const endOf = async (machine: Pick<Machine, 'sites'>, work: SiteWork): Promise<SiteJobLine | undefined> =>
  (await runJob(machine, work)).at(-1)

/** The status and the text of a page, asked from outside with the right name. */
export function visit(host: Host, domain: string, path = '/'): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: host.ip, path, headers: { host: domain }, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.once('end', () => resolve(`${reply.statusCode} ${Buffer.concat(chunks)}`))
    })
    asked.once('error', reject)
    asked.end()
  })
}

/** The whole answer as it came, without the time. */
export function rawAnswer(host: Host, domain: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: host.ip, port: 80 })
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('error', reject)
    socket.once('end', () =>
      resolve(
        Buffer.concat(chunks)
          .toString('latin1')
          .replace(/^Date: .*\r\n/im, ''),
      ),
    )
    socket.end(`GET / HTTP/1.1\r\nHost: ${domain}\r\nConnection: close\r\n\r\n`)
  })
}

/** Writes a file into the folder that is served, as its own user would. */
export async function upload(host: Host, { name }: SiteOnHost, path: string, text: string): Promise<void> {
  const target = `/home/${name}/public/${path}`
  const { code, stderr } = await host.run(`runuser -u ${name} -- sh -c 'umask 022; cat >"$0"' ${target}`, { stdin: text })
  if (code !== 0) throw new Error(stderr)
}

const traceScript = `
getent passwd; getent group
cut -d: -f1 /etc/shadow /etc/gshadow /etc/subuid /etc/subgid
mariadb -NB -e 'SHOW DATABASES; SELECT User, Host FROM mysql.global_priv ORDER BY 1, 2'
find /home /etc /srv /var/www /var/log/gatehouse-sites /var/spool/cron /usr/local /run/gatehouse-sites /var/backups \\
  -not -name '*.dpkg-*' -not -path '/etc/.pwd.lock' -printf '%p %y %m %u %g %l\\n' | sort
find /etc/apache2 /etc/ssh /etc/gatehouse -type f -exec sha256sum {} + | sort
systemctl list-units --all --plain --no-legend 'gatehouse-php*'
pgrep -P 1 -c '^php-fpm'`

/** What sites leave on a host, as text. What the first site sets up for all is not removed, so take the first one after a site. */
export const tracesOf = async (host: Host): Promise<string> => (await host.run(traceScript)).stdout
