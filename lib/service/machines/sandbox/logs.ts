/** The logs of a sandbox server: each line is derived from its time, so logs grow while they are viewed. */
import { createHash } from 'node:crypto'
import { lastPart, logNames, noSuchLog } from '../logs'
import { type Logs, MachineFailure } from '../machine'
import type { SiteLog, SiteOnHost } from '../sites'
import type { SandboxModel } from './model'

/** The interval between two lines in ms, and the number of lines. */
const momentMs = 3000
const moments = 2500

type Writer = { needs: string | null; lines: readonly ((n: number) => string)[] }

const address = (n: number) => `198.51.100.${(n % 250) + 1}`

/** Each with the package that writes the log; lines vary with a pseudo-random number. */
const writers: Readonly<Record<string, Writer>> = {
  auth: {
    needs: null,
    lines: [
      (n) => `sshd[${2000 + (n % 900)}]: Accepted publickey for root from ${address(n)} port ${40_000 + (n % 9000)} ssh2`,
      (n) => `sshd[${2000 + (n % 900)}]: Invalid user admin from ${address(n)} port ${40_000 + (n % 9000)}`,
      (n) => `sshd[${2000 + (n % 900)}]: Connection closed by ${address(n)} port ${40_000 + (n % 9000)} [preauth]`,
      (n) => `CRON[${3000 + (n % 900)}]: pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)`,
    ],
  },
  journal: {
    needs: null,
    lines: [
      () => 'systemd[1]: Started session of user root.',
      (n) => `kernel: eth0: link is up, ${(n % 9) + 1} carrier changes`,
      (n) => `shop[812]: \u001b[32minfo\u001b[0m order ${n % 10_000} was paid`,
      (n) => `shop[812]: \u001b[1;33mwarn\u001b[0m cart ${n % 10_000} took ${n % 3000} ms`,
    ],
  },
  apache_access: {
    needs: 'apache2',
    lines: [
      (n) => `${address(n)} - - "GET /products/${n % 400} HTTP/1.1" 200 ${n % 9000}`,
      (n) => `${address(n)} - - "GET /wp-login.php HTTP/1.1" 404 196`,
    ],
  },
  apache_error: {
    needs: 'apache2',
    lines: [(n) => `[core:error] [client ${address(n)}] AH00037: Symbolic link not allowed: /var/www/html/old`],
  },
  php: { needs: 'php8.2-fpm', lines: [(n) => `WARNING: [pool www] server reached pm.max_children setting (${n % 20})`] },
  mysql: { needs: 'mariadb-server', lines: [(n) => `${n % 900} [Warning] Aborted connection ${n % 900} to db: 'shop'`] },
  mail: {
    needs: 'postfix',
    lines: [(n) => `postfix/smtp[${n % 9000}]: connect to mx.oakline.example[${address(n)}]:25: Connection timed out`],
  },
  firewall: { needs: 'ufw', lines: [(n) => `kernel: [UFW BLOCK] IN=eth0 SRC=${address(n)} PROTO=TCP DPT=${n % 9000}`] },
}

/** `visit` runs work on the model, one at a time. */
export function createSandboxLogs(visit: <T>(work: (machine: SandboxModel) => T) => Promise<T>, now: () => number): Logs {
  return {
    read: (name) =>
      visit((machine) => {
        const names = logNames.filter((each) => hasLog(machine, each))
        if (!names.some((each) => each === name)) throw new MachineFailure(noSuchLog(name))
        return { names: [...names], text: lastPart(name === 'install' ? renderInstall(machine) : renderLog(machine, name, now())) }
      }),
  }
}

function hasLog({ packages, lines }: SandboxModel, name: string): boolean {
  if (name === 'install') return lines.length > 0
  const writer = writers[name]
  return writer !== undefined && (writer.needs === null || packages[writer.needs] !== undefined)
}

const renderInstall = ({ lines }: SandboxModel): string =>
  lines.map(({ step, progress, message }) => `${progress} %\t${step}\t${message}\n`).join('')

function renderLog({ hostname, bootedAtMs }: SandboxModel, name: string, nowMs: number): string {
  return renderLines({ name, source: hostname, lines: writers[name]?.lines ?? [] }, bootedAtMs, nowMs)
}

/** Sites whose domain begins with `quiet.` have empty logs. */
export function renderSiteLog({ bootedAtMs }: SandboxModel, { domain }: SiteOnHost, log: SiteLog, nowMs: number): string {
  return domain.startsWith('quiet.') ? '' : lastPart(renderLines({ name: log, source: domain, lines: siteWriters[log] }, bootedAtMs, nowMs))
}

const siteWriters: Readonly<Record<SiteLog, Writer['lines']>> = {
  access: [
    (n) => `${address(n)} - - "GET /products/${n % 400} HTTP/1.1" 200 ${n % 9000} "-" "Mozilla/5.0"`,
    (n) => `${address(n)} - - "POST /cart HTTP/1.1" 303 ${n % 900} "-" "Mozilla/5.0"`,
    (n) => `${address(n)} - - "GET /wp-login.php HTTP/1.1" 404 196 "-" "curl/8.5.0"`,
  ],
  error: [(n) => `[authz_core:error] [client ${address(n)}] AH01630: client denied by server configuration: public/.env`],
  php: [
    (n) => `PHP Warning:  Undefined array key "size" in public/cart.php on line ${(n % 90) + 10}`,
    (n) => `PHP Deprecated:  Creation of dynamic property Cart::$total in public/cart.php on line ${(n % 90) + 10}`,
  ],
}

/** source: whatever wrote it, a server or a site. */
type Written = { name: string; source: string; lines: Writer['lines'] }

function renderLines(written: Written, fromMs: number, nowMs: number): string {
  const last = Math.floor(nowMs / momentMs)
  const first = Math.max(Math.ceil(fromMs / momentMs), last - moments + 1)
  const lines = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => lineAt(written, first + index))
  return lines.map((line) => `${line}\n`).join('')
}

function lineAt({ name, source, lines }: Written, moment: number): string {
  const chance = createHash('md5').update(`${name} ${source} ${moment}`).digest().readUInt32BE()
  const write = lines[chance % lines.length]
  const time = new Date(moment * momentMs).toISOString().replace(/\.\d+Z/, '+00:00')
  return `${time} ${source} ${write?.(Math.floor(chance / lines.length)) ?? ''}`
}
