/** What a job is called: "Install web-fra-01", "Create example.org". */
import 'server-only'
import { findOperation } from '@/lib/contract'

/** Present and progressive, of the operations whose description does not read well before a name. */
const verbs: Readonly<Record<string, readonly [plain: string, doing: string]>> = {
  'servers.install': ['Install', 'Installing'],
  'servers.upgrade': ['Bring up to date:', 'Bringing up to date:'],
  'servers.revertUpgrade': ['Take back the update of', 'Taking back the update of'],
  'servers.applyUpdates': ['Install updates on', 'Installing updates on'],
  'sites.create': ['Create', 'Creating'],
  'sites.configure': ['Change settings of', 'Changing settings of'],
  'sites.delete': ['Delete', 'Deleting'],
  'ssl.set': ['Change SSL of', 'Changing SSL of'],
  'aliases.save': ['Add an alias to', 'Adding an alias to'],
  'aliases.delete': ['Delete an alias of', 'Deleting an alias of'],
  'email.set': ['Change email of', 'Changing email of'],
  'apps.install': ['Install an app on', 'Installing an app on'],
  'apps.pull': ['Pull to the staging copy of', 'Pulling to the staging copy of'],
  'apps.push': ['Push staging to', 'Pushing staging to'],
  'backups.create': ['Back up', 'Backing up'],
  'backups.restore': ['Restore', 'Restoring'],
  'sites.download': ['Prepare an archive of', 'Preparing an archive of'],
}

export const titleOfJob = (operation: string, targetName: string): string =>
  `${verbs[operation]?.[0] ?? findOperation(operation)?.description.replace(/\.$/, '') ?? 'Job on'} ${targetName}`

/** "Installing"; undefined for operations without a word of their own. */
export const verbOfJob = (operation: string): string | undefined => verbs[operation]?.[1]

/** What such jobs do, without a target: "List the sites". */
export const nameOfKind = (operation: string): string => findOperation(operation)?.description.replace(/\.$/, '') ?? 'Other'
