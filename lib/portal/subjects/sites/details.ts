/** What the list of sites only shows of a site. A new column of the list begins here: docs/decisions/088-list-items.md */
import 'server-only'
import * as z from 'zod'
import type { contract } from '@/lib/contract'
import { createDetails } from '../listing/details'
import type { ListedItem } from '../listing/kind'
import { listedText as shown } from '../listing/listed-text'

const text = z.string().catch('')

const maxAliases = 100

const schema = z.object({
  /** Bytes as a decimal number, or the service's own text. */
  usage: text,
  /** What the domain resolves to. */
  address: text,
  mx: text,
  /** The domain of its staging copy; empty without one, or if the service does not report it. */
  staging: text,
  /** The version of PHP; empty if the service does not report it. */
  php: text,
  /** The title of its app, and the version; empty without an app, or if the service does not report it. */
  app: text,
  appVersion: text,
  /** Its other domains, at most a hundred; none if the service does not report them. */
  aliases: z.array(z.string()).catch([]),
  /** When its newest backup was made, ISO; `none` without one; empty if the service does not report it. */
  backupAt: text,
})

export type SiteDetails = z.infer<typeof schema>

export const siteDetails = createDetails(schema)

export const detailsOf = ({
  usage,
  ip,
  mx,
  staging,
  php,
  app,
  app_version,
  aliases,
  backup_at,
}: ListedItem<typeof contract.sites.list>): SiteDetails => ({
  usage: shown(usage),
  address: shown(ip),
  mx: shown(mx),
  staging: shown(staging ?? ''),
  php: shown(php ?? ''),
  app: shown(app ?? ''),
  appVersion: shown(app_version ?? ''),
  aliases: (aliases ?? []).slice(0, maxAliases).map((alias) => shown(alias)),
  backupAt: backup_at === '' ? 'none' : isoOf(backup_at),
})

/** '' for anything but a time. */
function isoOf(text = ''): string {
  const at = Date.parse(text)
  return Number.isNaN(at) ? '' : new Date(at).toISOString()
}
