/** How often a seeded test runs: a part of its full count, so that every day's run is quick and a soak can be long. */
import { randomInt } from 'node:crypto'

/** The share of the full count, from SEEDS; 0.2 when unset. */
const share = Number(process.env.SEEDS ?? '0.2')

/** True when everything runs that can. */
export const isSoak = share >= 1

/** The number of runs for this process. fast-check prints the seed of a run that failed. */
export function seededRuns(full: number): number {
  return Math.max(1, Math.ceil(full * share))
}

export type Chance = {
  /** For titles: SEED=… with this number makes the same choices again. */
  seed: number
  /** A whole number from 0, below the limit. */
  below(limit: number): number
  pick<T>(choices: readonly T[]): T
}

/** Choices of a test that cannot try everything each time. */
export function openChance(seed = Number(process.env.SEED ?? randomInt(2 ** 31))): Chance {
  let state = seed
  // Mulberry32: 32 bits of state are plenty for a handful of choices.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    seed,
    below,
    pick: (choices) => {
      const [choice] = choices.slice(below(choices.length))
      if (choice === undefined) throw new Error('There is nothing to choose from.')
      return choice
    },
  }
}
