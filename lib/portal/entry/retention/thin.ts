/** Thins out samples: keeps all of the last two days and one per hour of the last month. */
import 'server-only'
import { deleteThinned, findServersSampledBefore } from '@/lib/portal/base/sql/samples'
import { slicesOf } from '@/lib/portal/base/turns'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { floorTo } from '@/lib/portal/subjects/samples/slots'

const hour = 60
const keptMinutes = { whole: 48 * hour, thinned: 30 * 24 * hour }

// How many servers one statement handles, so that waiting writes are hardly delayed.
const atOnce = 20

/** Keeps the newest sample of each older hour. Returns how many were deleted. */
export async function thinSamples(now = Date.now()): Promise<number> {
  // Thins only whole hours, so that repeating it changes nothing.
  const whole = floorTo(minuteOf(now) - keptMinutes.whole, hour)
  const gone = minuteOf(now) - keptMinutes.thinned
  const ids = await findServersSampledBefore(whole)
  let thinned = 0
  for (const some of slicesOf(ids, atOnce)) thinned += await deleteThinned(some, { whole, gone, hour })
  return thinned
}
