/** Progress events of slow work, the common type of all streams. */

/** One event of an install stream, or of any slow operation that answers with a stream. */
export type ProgressEvent = {
  /** An integer that increases over all runs of a server; null if the service sent none. */
  id: number | null
  message: string
  step?: string
  /** 0–100 */
  progress?: number
  status?: 'running' | 'done' | 'failed'
  /** For display: a sentence, if the work failed. */
  error?: string
  /** The operation's JSON answer, on the last event of a slow operation other than install. */
  result?: unknown
}
