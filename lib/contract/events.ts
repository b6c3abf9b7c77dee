/** Progress of slow work as events, and the type every stream of them has. */

/** One event of an install stream (or of any slow operation answered as a stream). */
export type ProgressEvent = {
  /** Whole and increasing over all runs of a server; null if a foreign service gave none. */
  id: number | null
  message: string
  step?: string
  /** 0–100 */
  progress?: number
  status?: 'running' | 'done' | 'failed'
  /** A sentence for people, on failure. */
  error?: string
  /** The JSON answer the interface names, on the last event of a slow operation other than install. */
  result?: unknown
}
