/** How the service words the end of a run that it could not follow to its end. */
import type { Run } from '../store/runs'

/** Work on a whole server continues where it ended; null for work on a site. */
const serverWork = ({ operation, siteId }: Run): string | null =>
  siteId !== null ? null : operation === 'servers.install' ? 'The installation' : 'The work'

/** The lines ended without a last one. */
export function describeEndless(run: Run, step: string): string {
  const work = serverWork(run)
  if (work !== null) return `${work} ended at “${step}” without an error message. Try again: it continues from there.`
  return `The work ended at “${step}” without an error message. It is not known how much of it was done. Check the site, then delete it or try again.`
}

/** The server could not be reached any longer, for the reason in `sentence`, or this version cannot follow what a newer one began. */
export function describeLoss(run: Run, sentence: string): string {
  if (run.operation === null && run.siteId === null)
    return 'A newer version of Gatehouse began this work, and this version cannot follow it. The work may still be running on the server.'
  const work = serverWork(run)
  if (work !== null) return `${sentence} ${work} may still be running there: trying again follows it.`
  return `${sentence} The work may still be running there. Check the site once the server answers again.`
}
