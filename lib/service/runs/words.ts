/** How the service words the end of a run that it could not follow to its end. */
import { installOperation, type Run } from '../store/runs'

const isInstall = ({ operation }: Run): boolean => operation === installOperation

/** The lines ended without a last one. */
export function describeEndless(run: Run, step: string): string {
  if (isInstall(run)) return `The installation ended at “${step}” without an error message. Try again: it continues from there.`
  return `The work ended at “${step}” without an error message. It is not known how much of it was done. Check the site, then delete it or try again.`
}

/** The server could not be reached any longer, for the reason in `sentence`. */
export function describeLoss(run: Run, sentence: string): string {
  if (isInstall(run)) return `${sentence} The installation may still be running there: trying again follows it.`
  return `${sentence} The work may still be running there. Check the site once the server answers again.`
}
