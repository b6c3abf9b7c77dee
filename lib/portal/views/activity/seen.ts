/** Which entries of the audit log are within a user's grants. */
import 'server-only'
import { isFollowed, type Right, reaches, seesAll } from '@/lib/portal/access/grants/compile'
import type { Place } from '@/lib/portal/access/grants/grant'
import { rightOf } from '@/lib/portal/access/grants/read'
import { findLentOnly } from '@/lib/portal/access/loans/lent-only'
import { may } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { findServersOfSites } from '@/lib/portal/base/sql/names'
import type { Person } from '@/lib/portal/identity/actor'
import { followedWork } from '@/lib/portal/jobs/event-kinds'
import type { RunRow } from './read-runs'

/**
 * All of them for whoever has a grant of everything. Others get what was done to servers and sites that they see, by operations that their
 * grants are about, and what they did themselves apart from that; with a role that may read the log, also what concerns no server or site.
 */
export async function dropUnseen(actor: Person, rows: readonly RunRow[]): Promise<readonly RunRow[]> {
  const right = await rightOf(actor)
  if (seesAll(right)) return rows
  const idsOf = (kind: string) => rows.flatMap(({ objectKind, objectId }) => (objectKind === kind ? [objectId] : []))
  const [servers, sites, serverOf, isLentServer, isLentSite] = await Promise.all([
    findVisibleNames(actor, 'server', idsOf('server')),
    findVisibleNames(actor, 'site', idsOf('site')),
    findServersOfSites(idsOf('site')),
    findLentOnly(actor, 'server'),
    findLentOnly(actor, 'site'),
  ])
  const reads = may(actor.role, 'auditLog', 'read')
  return rows.filter(({ objectKind, objectId: id, action, actorId }) => {
    const isAbout = (each: Right, place: Place) => isWithin(each, action, place)
    if (objectKind === 'server') {
      const place = { kind: 'server', serverId: id } as const
      return servers.has(id) && isAbout(right, place) && isLentServer(id, place, (lent) => isAbout(lent, place))
    }
    if (objectKind === 'site') {
      const place = { kind: 'site', siteId: id, serverId: serverOf.get(id) ?? null } as const
      return sites.has(id) && isAbout(right, place) && isLentSite(id, place, (lent) => isAbout(lent, place))
    }
    const own = actorId === actor.user.id || (objectKind === 'user' && id === actor.user.id)
    return own || (reads && !namesTargets.has(objectKind) && !action.startsWith('access.'))
  })
}

/** Kinds of objects whose entries may name servers or sites; so do changes of access. */
const namesTargets: ReadonlySet<string> = new Set(['connection', 'job', 'batch', 'undo', 'heldRequest', 'portal'])

const followedById = new Map(followedWork.map((work) => [work.id, work]))

/** What the portal does itself with a server or site, such as labels, is followed by whoever follows all operations there. */
function isWithin({ rules }: Right, action: string, place: Place): boolean {
  const work = followedById.get(action)
  return rules.some((rule) => reaches(rule, place) && (work ? isFollowed(rule, work) : rule.subjects === 'all'))
}
