import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'

/** The settings as a service with extensions reports them. A limit or number is empty if it is not reported, or no plain number. */
export type SiteSettings = {
  php: string
  versions: readonly string[]
  upload: string
  memory: string
  folder: string
  workers: string
  waiting: string
  mailPerHour: string
  /** ISO 8601 while the limit of mail is reached, else empty. */
  mailHeldUntil: string
  extensions: readonly string[]
  /** Whether the domain's name with www, if it is an alias, leads to the domain; null if it is none, or is not reported. */
  www: { domain: string; leads: boolean } | null
  /** For how many seconds browsers insist on https; empty if that is not reported, or SSL is off. */
  hsts: string
}

/** Null if the service does not report them. */
export function siteSettings({ item: [item] }: Answer<typeof sites.settings>): SiteSettings | null {
  const {
    php,
    php_versions: versions,
    upload_limit: upload = '',
    memory_limit: memory = '',
    folder = '',
    workers = '',
    waiting = '',
    mail_per_hour: mailPerHour = '',
    mail_held_until: held = '',
  } = item
  if (php === undefined || versions === undefined) return null
  const { domain, names = [], ssl, www_redirect: leads, hsts = '', php_extensions: extensions = [] } = item
  const www = leads !== undefined && names.includes(`www.${domain}`) ? { domain, leads } : null
  const mailHeldUntil = Number.isNaN(Date.parse(held)) ? '' : held
  const numbers = { workers, waiting, mailPerHour, mailHeldUntil }
  return { php, versions, upload, memory, folder, ...numbers, extensions, www, hsts: ssl ? hsts : '' }
}

/** What common apps need of PHP, and an install brings. */
const wanted = ['bcmath', 'curl', 'gd', 'imagick', 'intl', 'mbstring', 'redis', 'xml', 'zip']

/** Those that a service which reports extensions does not name. */
export const lackingExtensions = ({ extensions }: SiteSettings): string[] =>
  extensions.length === 0 ? [] : wanted.filter((name) => !extensions.includes(name))

/** Whether no program of the site runs, because its version of PHP was removed: an upgrade of Debian does that. */
export const lacksPhp = ({ php, versions }: SiteSettings): boolean => !versions.includes(php)
