/** The install as named steps, and the one bash program that runs them on the machine. */
import { readScript } from '../script'
import { nightlyBackup } from './nightly-backup/script'

type Step = {
  /**
   * Its file, and its functions there: probe_… says whether it is done already, apply_… does it. A part of a server also has
   * find_…, which says what is there of somebody else's, and where it has more to do than the runner: remark_… for what people
   * have to know of a part that is kept, unwind_… after a failed step's changes were put back, differences_… for what was
   * changed on purpose since.
   */
  id: string
  /** For people. */
  name: string
  /** Its share of the whole, in the time it takes. */
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

const shared = ['manifest', 'files', 'undo', 'units', 'listeners', 'apt', '../facts/web-ports', 'find-firewall']

/** The job: constant text, the same for every machine. It reads the port we come in by from its folder. */
export const installJob = [
  readScript(import.meta.url, ...[...shared, ...steps.map(({ id }) => id)].map((name) => `${name}.bash`)),
  ...hereDocument('content_backup() { cat', nightlyBackup, '}'),
  ...hereDocument('read -r -d "" steps', steps.map((step) => `${step.id} ${step.weight} ${step.name}\n`).join('')),
  readScript(import.meta.url, 'run.bash'),
].join('\n')

function hereDocument(before: string, text: string, after = ''): string[] {
  return [`${before} <<'GATEHOUSE_END'`, `${text}GATEHOUSE_END`, after]
}
