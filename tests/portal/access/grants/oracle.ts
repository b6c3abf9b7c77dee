/** What grants allow, decided by walking through all of them for every question: slow, and written without the compiler. */
import type { Grant, Grantee, Labelled, Need, Place } from '@/lib/portal/access/grants/grant'

export type Case = { grantee: Grantee; grants: readonly Grant[]; labels: readonly Labelled[]; now: number }

const roleEffects: Record<Grantee['role'], string> = {
  owner: 'read export change destroy',
  admin: 'read export change destroy',
  operator: 'read export change destroy',
  viewer: 'read',
  guest: 'read export change destroy',
}

/** Whether a grant counts for this person at this moment. */
function counts({ grantee, now }: Case, grant: Grant): boolean {
  const toPerson = grant.userId !== null && grant.userId === grantee.userId
  const toRole = grant.userId === null && grant.role !== null && grant.role === grantee.role
  if (!toPerson && !toRole) return false
  if (now < grant.from) return false
  return grant.until === null ? true : now < grant.until
}

function hasLabel({ labels }: Case, kind: 'server' | 'site', id: string | null, name: string): boolean {
  for (const label of labels) if (label.kind === kind && label.id === id && label.name === name) return true
  return false
}

function covers(given: Case, grant: Grant, place: Place): boolean {
  for (const scope of grant.scopes) {
    if (scope.kind === 'everything') return true
    if (place.kind === 'everywhere') continue
    const site = place.kind === 'site' ? place.siteId : null
    if (scope.kind === 'server' && place.serverId === scope.id) return true
    if (scope.kind === 'site' && site === scope.id) return true
    if (scope.kind === 'label' && hasLabel(given, 'server', place.serverId, scope.name)) return true
    if (scope.kind === 'label' && site !== null && hasLabel(given, 'site', site, scope.name)) return true
  }
  return false
}

export function oracleAllows(given: Case, need: Need, place: Place): boolean {
  if (!roleEffects[given.grantee.role].split(' ').includes(need.effect)) return false
  for (const grant of given.grants) {
    if (!counts(given, grant) || !covers(given, grant, place)) continue
    if (need.root && !grant.root) continue
    if (grant.operations.includes(need.id)) return true
    const about = grant.subjects === 'all' || [need.subject, need.grantedWith ?? need.subject].some((name) => grant.subjects.includes(name))
    if (about && grant.effects.includes(need.effect)) return true
  }
  return false
}

/** A server or site is seen by whoever has a grant over it that allows some operation, wherever that acts. */
export function oracleSees(given: Case, needs: readonly Need[], place: Place): boolean {
  return given.grants.some((grant) => {
    if (!counts(given, grant) || !covers(given, grant, place)) return false
    const effects = roleEffects[given.grantee.role].split(' ')
    if (grant.operations.some((id) => needs.some((need) => need.id === id && effects.includes(need.effect)))) return true
    const hasSubject = grant.subjects === 'all' || grant.subjects.length > 0
    return hasSubject && grant.effects.some((effect) => effects.includes(effect))
  })
}
