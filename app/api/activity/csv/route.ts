import { RequestCookies } from '@edge-runtime/cookies'
import { zoneCookie } from '@/app/_shared/preferences/zone-cookie'
import { log } from '@/lib/log'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { renderActivity } from '@/lib/portal/views/activity/csv'
import { readFilter } from '@/lib/portal/views/activity/filter'

export const dynamic = 'force-dynamic'

/** All entries that match the page's filters, as CSV. */
export const GET = guardedGet(async (actor, request) => {
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
        log.error({ err: error }, 'the audit log could not be read completely')
        controller.error(new Error('The audit log could not be read completely.'))
      }
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}
