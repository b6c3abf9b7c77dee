import { RequestCookies } from '@edge-runtime/cookies'
import { zoneCookie } from '@/app/_shared/preferences/zone-cookie'
import { problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { may } from '@/lib/portal/access/roles'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { csvResponse } from '../csv-response'

export const dynamic = 'force-dynamic'

const held = problem('forbidden', { sentence: 'Exporting the audit log needs a second person here. Ask for one on the page Activity.' })

/** All entries that match the page's filters, as CSV, for roles that may export the audit log, unless that needs a second person. */
export const GET = guardedGet(async (actor, request) => {
  const refusal = !may(actor.role, 'auditLog', 'export')
    ? problem('forbidden')
    : (await needsSecondPerson(actor.team.id, 'activity.export'))
      ? held
      : null
  if (refusal) {
    await recordDenied(actor, 'activity.export', { kind: 'team', id: actor.team.id }, 'forbidden')
    return problemResponse(refusal)
  }
  const filter = readFilter(Object.fromEntries(new URL(request.url).searchParams))
  const zone = zoneFor(actor.preferences, new RequestCookies(request.headers).get(zoneCookie)?.value)
  return csvResponse(actor, filter, zone)
})

export const OPTIONS = methodNotAllowed
