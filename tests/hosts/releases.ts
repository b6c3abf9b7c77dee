/** The Debian releases that tests run on. Slow tests run on one of them, chosen at random; a soak uses both. */
import { type Chance, isSoak } from '../support/seeds'
import type { Release } from './lab/lab'

export type Debian = { debian: string; version: string; release: Release }

export const debians: readonly Debian[] = [
  { debian: 'Debian 12', version: '12', release: 'bookworm' },
  { debian: 'Debian 13', version: '13', release: 'trixie' },
]

export const someDebians = (chance: Chance): readonly Debian[] => (isSoak ? debians : [chance.pick(debians)])
