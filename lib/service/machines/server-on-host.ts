/** The server itself, where jobs otherwise have a site. */
import type { SiteOnHost } from './sites'

/** No site has that name. domain: how messages name the server. */
export const serverOnHost = ({ id, hostname, name }: { id: string; hostname: string; name: string }): SiteOnHost => ({
  id,
  name: '.server',
  domain: hostname || name,
  aliases: [],
})
