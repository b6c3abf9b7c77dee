/** The pages of a server that a reader may open. */
import { contract } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'

type Tab = { href: string; name: string }

const { servers, cron, users, firewall, logs, mail, serverBackups } = contract

/** offers: what the reader may do on it. What each page needs to be read. */
export function serverTabs(
  { id }: Pick<ServerRow, 'id'>,
  offers: (operation: Operation) => boolean,
  also: { install: boolean; access: boolean },
): Tab[] {
  const base = `/servers/${id}`
  const tab = (path: string, name: string, open: boolean): Tab[] => (open ? [{ href: `${base}${path}`, name }] : [])
  return [
    ...tab('', 'Overview', offers(servers.summary)),
    ...tab('/install', 'Install', also.install),
    ...tab('/sites', 'Sites', true),
    ...tab('/cron', 'Cron', offers(cron.list)),
    ...tab('/users', 'Users', offers(users.list)),
    ...tab('/firewall', 'Firewall', offers(firewall.get)),
    ...tab('/logs', 'Logs', offers(logs.fetch)),
    ...tab('/mail', 'Mail', offers(mail.list)),
    ...tab('/backups', 'Backups', offers(serverBackups.list)),
    ...tab('/access', 'Access', also.access),
    ...tab('/settings', 'Settings', offers(servers.summary)),
  ]
}

/** Where somebody is led who may not read the overview. */
export const firstTabOf = (server: Pick<ServerRow, 'id'>, offers: (operation: Operation) => boolean): string =>
  serverTabs(server, offers, { install: false, access: false }).find(({ name }) => name !== 'Sites')?.href ?? `/servers/${server.id}/sites`
