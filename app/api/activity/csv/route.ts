import { RequestCookies } from '@edge-runtime/cookies'
import { zoneCookie } from '@/app/_shared/preferences/zone-cookie'
import { problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { recordDenied } from '@/lib/portal/access/denied'
import { may } from '@/lib/portal/access/roles'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { ExportEnded, renderActivity } from '@/lib/portal/views/activity/csv'
import { readFilter } from '@/lib/portal/views/activity/filter'

export const dynamic = 'force-dynamic'

/** All entries that match the page's filters, as CSV, for roles that may export the audit log. */
export const GET = guardedGet(async (actor, request) => {
  if (!may(actor.role, 'auditLog', 'export')) {
    await recordDenied(actor, 'activity.export', { kind: 'team', id: actor.team.id }, 'forbidden')
    return problemResponse(problem('forbidden'))
  }
  const filter = readFilter(Object.fromEntries(new URL(request.url).searchParams))
  const zone = zoneFor(actor.preferences, new RequestCookies(request.headers).get(zoneCookie)?.value)
  return new Response(toStream(renderActivity(actor, filter, zone)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="activity.csv"',
      // Compression would hold the data back until there is enough to compress.
      'cache-control': 'no-store, no-transform',
    },
  })
})

export const OPTIONS = methodNotAllowed

/** Rows are read only as fast as the client reads, and only while it does. */
function toStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await lines.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        if (error instanceof ExportEnded) log.info('a download of the audit log was ended')
        else log.error({ err: error }, 'the audit log could not be read completely')
        controller.error(new Error('The audit log could not be read completely.'))
      }
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}
