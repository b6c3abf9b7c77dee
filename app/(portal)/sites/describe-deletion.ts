/** What a batch says before it deletes sites. */
import { formatCount } from '../../_ui/count'

const undecided = 'decides what happens to their files and databases. This cannot be undone.'

/** extensions: whether the site's service announces them. What another service deletes is unknown. */
export function describeDeletion(sites: readonly { extensions: boolean }[]): string {
  const foreign = sites.filter(({ extensions }) => !extensions).length
  if (foreign === sites.length) return `The sites are removed from the service, which ${undecided}`
  const deleted = 'The sites, their databases, email and backups are deleted. A last backup of each is made first, and stays on its server.'
  if (foreign === 0) return deleted
  return `${deleted} For ${formatCount(foreign)} of them this does not hold: their service ${undecided}`
}
