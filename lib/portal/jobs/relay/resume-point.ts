/** Where a browser resumes reading a job's lines, from the header or query it sent. */
import 'server-only'

/** after: the last line it has. reset: what it sent makes no sense, so it gets everything again. */
export type ResumePoint = { after: number; reset: boolean }

/** `given` is what the browser sent, or null; `newest` is the number of lines. */
export function parseResumePoint(given: string | null, newest: number): ResumePoint {
  if (given === null || given === '') return { after: 0, reset: false }
  const after = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
  return after <= newest ? { after, reset: false } : { after: 0, reset: true }
}
