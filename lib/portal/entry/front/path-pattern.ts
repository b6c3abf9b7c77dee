/** Turns paths in Next's notation, `/api/jobs/[jobId]`, into regular expressions. */
import 'server-only'

/** Matches a whole path; each placeholder is a group. */
export const toPathPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\[\w+\]/g, '([^/]+)')}$`)
