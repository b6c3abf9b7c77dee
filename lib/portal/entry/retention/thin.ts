/** Samples grow fewer with time: all of two days, one an hour of a month, none beyond. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { floorTo } from '@/lib/portal/subjects/samples/slots'

const hour = 60
const keptMinutes = { whole: 48 * hour, thinned: 30 * 24 * hour }

// Servers whose samples go in one statement: a page waiting to write hardly notices.
const atOnce = 20

/** Of an older hour the newest sample stays. Gives how many went. */
export async function thinSamples(now = Date.now()): Promise<number> {
  // Hours are thinned as a whole, so that doing it twice comes to the same.
  const whole = floorTo(minuteOf(now) - keptMinutes.whole, hour)
  const gone = minuteOf(now) - keptMinutes.thinned
  const rows = await db().$queryRaw<{ serverId: string }[]>`
    SELECT "id" AS "serverId" FROM "Server" WHERE EXISTS (SELECT 1 FROM "Sample" WHERE "serverId" = "Server"."id" AND "at" < ${whole})`
  let thinned = 0
  for (let begin = 0; begin < rows.length; begin += atOnce) {
    const ids = JSON.stringify(rows.slice(begin, begin + atOnce).map(({ serverId }) => serverId))
    thinned += await db().$executeRaw`
      DELETE FROM "Sample" WHERE "serverId" IN (SELECT value FROM json_each(${ids})) AND "at" < ${whole} AND ("at" < ${gone} OR EXISTS (
        SELECT 1 FROM "Sample" AS "newer" WHERE "newer"."serverId" = "Sample"."serverId"
          AND "newer"."at" > "Sample"."at" AND "newer"."at" < "Sample"."at" - "Sample"."at" % ${hour} + ${hour}))`
  }
  return thinned
}
