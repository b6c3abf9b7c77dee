/** The install as named steps, and the script that runs them on the server. */
import type { PackagedScript } from '../script'

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

/** The job, the same for every server. It reads the SSH port from a file. */
export const installScript: PackagedScript = {
  name: 'server/install',
  before: `read -r -d '' steps <<'END'\n${steps.map((step) => `${step.id} ${step.weight} ${step.name}\n`).join('')}END\n`,
  files: [...steps.map(({ id }) => `steps/${id}.bash`), 'steps/run.bash'],
}
