import { bytesOf, formatSize } from '@/app/_ui/size'
import type { Answer } from '@/lib/contract/operation'
import type { servers } from '@/lib/contract/operations/servers'

/** What servers.summary answers, and the one item in it. */
export type SummaryAnswer = Answer<typeof servers.summary>
export type Summary = SummaryAnswer['item'][number]

/** Usage as figure, total and share. `used` takes precedence over total minus free. */
export function usageOf(used: string | null, free: string, total: string): { figure: string; of: string; share: number | null } {
  const all = bytesOf(total)
  const left = bytesOf(free)
  const taken = (used === null ? null : bytesOf(used)) ?? (all !== null && left !== null ? all - left : null)
  if (taken === null)
    return { figure: used || (free ? `${free} free` : 'Unknown'), of: total ? `of ${formatSize(total)}` : '', share: shareOf(used ?? '') }
  return { figure: formatSize(String(taken)), of: all === null ? '' : `of ${formatSize(total)}`, share: all ? taken / all : null }
}

/** "41%" → 0.41 */
function shareOf(text: string): number | null {
  const percent = /^\s*(\d{1,3}(?:\.\d+)?)\s*%\s*$/.exec(text)?.[1]
  return percent === undefined ? null : Number(percent) / 100
}

/** "Apache 2.4.62, PHP 8.2.26, MariaDB 10.11.6", of what is installed. */
export function formatSoftware({ webserver, apache, php, mariadb }: Summary): string {
  const web = apache ? `Apache ${apache}` : webserver
  return [web, php && `PHP ${php}`, mariadb && `MariaDB ${mariadb}`].filter(Boolean).join(', ')
}

export function formatProcessor({ cpu, cores }: Summary): string {
  return [cpu, cores && (cores === '1' ? '1 core' : `${cores} cores`)].filter(Boolean).join(', ')
}

/** user@host:port as typed in a shell. */
export function formatLogin({ user, port, ip }: Summary, hostname: string): string {
  const host = hostname || ip
  return user && host ? `${user}@${host}${port ? `:${port}` : ''}` : ''
}

/** "full in about 9 days" */
export const formatFull = (days: number): string =>
  days < 1 ? 'full within a day' : `full in about ${days === 1 ? 'a day' : `${days} days`}`
