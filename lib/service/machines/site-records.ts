/** The records of sites that a server has, as records.bash prints them: a line per site, its fields separated by tabs. */

/**
 * owner: the tag of the account that the site belongs to; empty if an earlier version made it. copyOf: of a staging copy, the name of its live site;
 * empty for others. isBeingDeleted: a deletion has begun, and can be repeated.
 */
export type SiteRecord = {
  id: string
  name: string
  domain: string
  aliases: readonly string[]
  owner: string
  copyOf: string
  isBeingDeleted: boolean
}

/** shared: whether another Gatehouse, or another account, logs in to the server too. */
export type SiteRecords = { sites: readonly SiteRecord[]; shared: boolean }

export const noRecords: SiteRecords = { sites: [], shared: false }

const siteName = /^[a-z][a-z0-9]{0,23}$/
const domainName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}$/

/** Lines that cannot be read are skipped: root may have written anything there. */
export function parseSiteRecords(printed: string): SiteRecords {
  const lines = printed.split('\n').map((line) => line.split('\t'))
  const sites = lines.flatMap(
    ([kind, id = '', name = '', domain = '', owner = '', copyOf = '', deletion = '', names = '']): SiteRecord[] => {
      if (kind !== 'site' || !/^[\w-]{1,64}$/.test(id) || !siteName.test(name) || !domainName.test(domain)) return []
      const aliases = names.split(' ').filter((alias) => domainName.test(alias))
      return [{ id, name, domain, aliases, owner: owner.slice(0, 64), copyOf, isBeingDeleted: deletion === 'yes' }]
    },
  )
  return { sites, shared: lines.some(([kind, answer]) => kind === 'shared' && answer === 'yes') }
}
