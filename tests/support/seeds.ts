/** How often a seeded test runs: a part of its full count, so that every day's run is quick and a soak can be long. */

/**
 * The number of runs for this process: the full count times SEEDS, which is a fraction and 0.2 when unset.
 * fast-check prints the seed of a run that failed.
 */
export function seededRuns(full: number): number {
  return Math.max(1, Math.ceil(full * Number(process.env.SEEDS ?? '0.2')))
}
