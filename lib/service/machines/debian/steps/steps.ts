/** The install as named steps, and the one bash script that runs them on the server. */
import { readScript } from '../script'
import { withTexts } from '../sites/texts'
import { nightlyBackup } from './nightly-backup/script'

type Step = {
  /**
   * The name of the step's file and functions: probe_… checks whether the step is done, apply_… does it. A part of a server also has
   * find_…, which reports what somebody else has installed. Optional: remark_…, a note about a part that is kept; unwind_…, run after
   * the changes of a failed step were reverted; differences_…, what was deliberately changed since.
   */
  id: string
  /** For display. */
  name: string
  /** Its share of the whole install, by duration. */
  weight: number
}

export const steps: readonly Step[] = [
  { id: 'survey', name: 'Check the server', weight: 2 },
  { id: 'ready', name: 'Package system', weight: 2 },
  { id: 'packages', name: 'Packages', weight: 70 },
  { id: 'web', name: 'Web server and PHP', weight: 6 },
  { id: 'database', name: 'Database', weight: 8 },
  { id: 'mail', name: 'Mail', weight: 4 },
  { id: 'firewall', name: 'Firewall', weight: 5 },
  { id: 'updates', name: 'Security updates', weight: 2 },
  { id: 'backups', name: 'Nightly backup', weight: 3 },
]

/** The job, the same constant text for every server. It reads the SSH port from a file. */
export const installJob = [
  ...hereDocument('content_backup() { cat', nightlyBackup, '}'),
  ...hereDocument('read -r -d "" steps', steps.map((step) => `${step.id} ${step.weight} ${step.name}\n`).join('')),
  withTexts(readScript(...steps.map(({ id }) => `steps/${id}.bash`), 'steps/run.bash')),
].join('\n')

function hereDocument(before: string, text: string, after = ''): string[] {
  return [`${before} <<'GATEHOUSE_END'`, `${text}GATEHOUSE_END`, after]
}
