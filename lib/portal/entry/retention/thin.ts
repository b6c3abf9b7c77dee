/** Samples grow fewer with time: all of two days, one an hour of a month, none beyond. */
import 'server-only'
import { deleteThinned, findServersSampledBefore } from '@/lib/portal/base/sql/samples'
import { slicesOf } from '@/lib/portal/base/turns'
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
  const ids = await findServersSampledBefore(whole)
  let thinned = 0
  for (const some of slicesOf(ids, atOnce)) thinned += await deleteThinned(some, { whole, gone, hour })
  return thinned
}
