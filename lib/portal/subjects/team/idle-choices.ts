/** The times without activity that a team can choose from, in minutes. A session lasts 12 hours at most. */
export const idleChoices = [5, 15, 30, 60, 120, 240, 480] as const

/** "30 minutes", "2 hours". */
export const formatIdle = (minutes: number): string =>
  minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`
