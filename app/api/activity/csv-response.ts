/** The audit log as a file that is sent while it is read. */
import { log } from '@/lib/log'
import type { Person } from '@/lib/portal/identity/actor'
import { ExportEnded, renderActivity } from '@/lib/portal/views/activity/csv'
import type { ActivityFilter } from '@/lib/portal/views/activity/filter'

export const csvResponse = (actor: Person, filter: ActivityFilter, zone: string): Response =>
  new Response(toStream(renderActivity(actor, filter, zone)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="activity.csv"',
      // Compression would hold the data back until there is enough to compress.
      'cache-control': 'no-store, no-transform',
    },
  })

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
