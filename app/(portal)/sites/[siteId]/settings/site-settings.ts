import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'

/** The settings as a service with extensions reports them. A limit is empty if it is no plain number of MB. */
export type SiteSettings = { php: string; versions: readonly string[]; upload: string; memory: string; folder: string }

/** Null if the service does not report them. */
export function siteSettings({ item: [item] }: Answer<typeof sites.settings>): SiteSettings | null {
  const { php, php_versions: versions, upload_limit: upload = '', memory_limit: memory = '', folder = '' } = item
  return php === undefined || versions === undefined ? null : { php, versions, upload, memory, folder }
}

/** Whether no program of the site runs, because its version of PHP was removed: an upgrade of Debian does that. */
export const lacksPhp = ({ php, versions }: SiteSettings): boolean => !versions.includes(php)
