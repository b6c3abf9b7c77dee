/** Paths as Next names them, `/api/jobs/[jobId]`, turned into expressions that find them. */
import 'server-only'

/** Matches a whole path; each placeholder is a group. */
export const toPathPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\[\w+\]/g, '([^/]+)')}$`)
