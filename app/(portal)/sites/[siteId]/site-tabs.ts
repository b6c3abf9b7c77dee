/** The pages of a site that a reader may open. */
import { contract } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'

type Tab = { href: string; name: string }

const { sites, apps, database, aliases, email, backups, logs } = contract

/** offers: what the reader may do on it. What each page needs to be read. access: whether the reader may see who has access. */
export function siteTabs(
  { id, extensions }: Pick<SiteRow, 'id' | 'extensions'>,
  offers: (operation: Operation) => boolean,
  access: boolean,
): Tab[] {
  const base = `/sites/${id}`
  const tab = (path: string, name: string, open: boolean): Tab[] => (open ? [{ href: `${base}${path}`, name }] : [])
  return [
    ...tab('', 'Overview', offers(sites.summary)),
    ...tab('/app', 'App', offers(apps.get)),
    ...tab('/database', 'Database', offers(database.get)),
    ...tab('/aliases', 'Aliases', offers(aliases.list)),
    ...tab('/ssl', 'SSL', offers(sites.settings)),
    ...tab('/email', 'Email', offers(email.get)),
    ...tab('/backups', 'Backups', offers(backups.list)),
    ...tab('/logs', 'Logs', extensions && offers(logs.fetchSite)),
    ...tab('/access', 'Access', access),
    ...tab('/settings', 'Settings', extensions && offers(sites.settings)),
  ]
}
