/** One measured figure and its target. */

export type Figure = {
  what: string
  value: number
  unit: string
  /** The target, and the limit below which a run fails; absent if the figure is only for comparison. */
  target?: number
  floor?: number
  /** True where more is better. */
  more?: boolean
}

/** How a figure compares with its target and floor. */
export function verdictOf({ value, target, floor, more = false }: Figure): 'reached' | 'above the floor' | 'missed' | '' {
  if (floor === undefined) return ''
  const meets = (bar: number) => (more ? value >= bar : value <= bar)
  if (!meets(floor)) return 'missed'
  return target === undefined || meets(target) ? 'reached' : 'above the floor'
}

/** The value below which the fraction of the samples lies; NaN of none. */
export function quantile(samples: readonly number[], fraction: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)
