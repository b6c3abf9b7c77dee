/** The line after which a browser resumes reading a job, from its header or query. */
import 'server-only'

/** after: the last line that the browser has. reset: its value was invalid, so it gets all lines again. */
export type ResumePoint = { after: number; reset: boolean }

/** `given` is the browser's value, or null; `newest` is the number of lines. */
export function parseResumePoint(given: string | null, newest: number): ResumePoint {
  if (given === null || given === '') return { after: 0, reset: false }
  const after = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
  return after <= newest ? { after, reset: false } : { after: 0, reset: true }
}
