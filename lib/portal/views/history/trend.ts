/** Predicts when a disk will be full if the recent trend continues; null if there is no clear trend. */
import 'server-only'

/** at: in any unit of time. */
export type Point = { at: number; value: number }

const fewest = 12
// In Kendall's test, 99 of 100 disks that only fluctuate stay below this.
const leastEvidence = 2.33
// A rise counts as over if the recent rate is below this share of the mean rate.
const lateShare = 0.25

/**
 * The median of the slopes between all pairs (Theil–Sen), which one deleted log or one huge file hardly affects. Null without two
 * points.
 */
export function slopeOf(points: readonly Point[]): number | null {
  const slopes: number[] = []
  forPairs(points, (a, b) => {
    if (b.at !== a.at) slopes.push((b.value - a.value) / (b.at - a.at))
  })
  return medianOf(slopes)
}

/** Visits the pairs without a list, because there are thousands. */
function forPairs(points: readonly Point[], visit: (earlier: Point, later: Point) => void): void {
  for (const later of points) {
    for (const earlier of points) {
      if (earlier === later) break
      visit(earlier, later)
    }
  }
}

function medianOf(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).sort()
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

/** How much more often the points rise than fall, in standard deviations of a random order (Mann–Kendall). */
export function evidenceOf(points: readonly Point[]): number {
  const count = points.length
  let score = 0
  forPairs(points, (a, b) => {
    score += Math.sign(b.value - a.value)
  })
  const deviation = Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18)
  return deviation === 0 ? 0 : (score - Math.sign(score)) / deviation
}

/**
 * The units of time until `total` is reached, from the newest point along the line through most points. Null unless the points cover
 * `least` units, there are enough of them, they rise significantly, and still rise in their newer half.
 */
export function timeUntilFull(points: readonly Point[], total: number, least: number): number | null {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < fewest || last.at - first.at < least) return null
  const slope = slopeOf(points)
  const late = slopeOf(points.slice(Math.floor(points.length / 2)))
  if (slope === null || late === null || slope <= 0 || late < slope * lateShare || evidenceOf(points) < leastEvidence) return null
  const level = medianOf(points.map(({ at, value }) => value + slope * (last.at - at))) ?? last.value
  return Math.max(0, total - level) / slope
}
