/** What the portal knows of each slow operation as a job, one definition each. What its page shows: app/(portal)/jobs/[jobId]/job-part.tsx. */
import 'server-only'
import { contract, isSlowOperation, type SlowOperationId } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { concludeCopy, readCopyFields } from '@/lib/portal/subjects/backup-targets/copy-job'
import { concludeProof, readProofFields } from '@/lib/portal/subjects/backup-targets/proof-job'
import { findBegunSite } from '@/lib/portal/subjects/sites/created'
import { type Shown, shownChanges } from '@/lib/portal/subjects/sites/shown-changes'
import {
  type Concluded,
  concludeCreation,
  concludeDeletion,
  concludeDownload,
  concludeWithCredentials,
  concludeWithNote,
  type EndedJob,
  settleLater,
  type WorkEnd,
} from '@/lib/portal/subjects/sites/slow-work'

export type JobKind = {
  operation: Operation
  /** What it does, before the name of its target: in the title, and while it runs. */
  verbs: readonly [plain: string, doing: string]
  /**
   * Whether one that did not succeed can be started again as it was: work that needs neither a secret nor a typed confirmation, and whose
   * fields the audit log has whole. Other work is started again on its page, where its form asks for them.
   */
  repeatable: boolean
  /** The fields with which a later process follows it; null if they are not there any more. Without this, only those of a batch are stored. */
  stored?: (jobId: string) => Promise<Readonly<Record<string, string>> | null>
  /** Finds the site that the work makes, once it has begun. */
  begun?: (job: EndedJob, isOver: () => boolean) => Promise<string | null>
  /** Settles an outcome that is not known. */
  shown?: Shown
  /** Before the end is stored; may find out more than the service said. */
  conclude?: (job: EndedJob, end: WorkEnd) => Promise<Concluded>
  /** Once the outcome is in the audit log. */
  recorded?: (job: EndedJob, end: WorkEnd) => Promise<void>
}

export const jobKinds: { readonly [Id in SlowOperationId]: JobKind & { operation: { id: Id } } } = {
  'servers.install': { operation: contract.servers.install, verbs: ['Install', 'Installing'], repeatable: true },
  'servers.upgrade': {
    operation: contract.servers.upgrade,
    verbs: ['Bring up to date:', 'Bringing up to date:'],
    repeatable: true,
  },
  'servers.revertUpgrade': {
    operation: contract.servers.revertUpgrade,
    verbs: ['Take back the update of', 'Taking back the update of'],
    repeatable: false,
  },
  'servers.applyUpdates': {
    operation: contract.servers.applyUpdates,
    verbs: ['Install updates on', 'Installing updates on'],
    repeatable: true,
  },
  'sites.create': {
    operation: contract.sites.create,
    verbs: ['Create', 'Creating'],
    repeatable: false,
    begun: findBegunSite,
    conclude: concludeCreation,
  },
  'sites.configure': {
    operation: contract.sites.configure,
    verbs: ['Change settings of', 'Changing settings of'],
    repeatable: true,
    shown: shownChanges.settings,
  },
  'sites.delete': {
    operation: contract.sites.delete,
    verbs: ['Delete', 'Deleting'],
    repeatable: false,
    conclude: concludeDeletion,
    recorded: settleLater,
  },
  'sites.download': {
    operation: contract.sites.download,
    verbs: ['Prepare an archive of', 'Preparing an archive of'],
    repeatable: true,
    conclude: concludeDownload,
  },
  'ssl.set': {
    operation: contract.ssl.set,
    verbs: ['Change SSL of', 'Changing SSL of'],
    repeatable: true,
    shown: shownChanges.ssl,
  },
  'aliases.save': {
    operation: contract.aliases.save,
    verbs: ['Add an alias to', 'Adding an alias to'],
    repeatable: true,
    shown: shownChanges.aliasAdded,
  },
  'aliases.delete': {
    operation: contract.aliases.delete,
    verbs: ['Delete an alias of', 'Deleting an alias of'],
    repeatable: true,
    shown: shownChanges.aliasRemoved,
  },
  'email.set': {
    operation: contract.email.set,
    verbs: ['Change email of', 'Changing email of'],
    repeatable: true,
    shown: shownChanges.email,
  },
  'apps.install': {
    operation: contract.apps.install,
    verbs: ['Install an app on', 'Installing an app on'],
    repeatable: false,
    shown: shownChanges.installed,
    conclude: concludeWithCredentials,
  },
  'apps.pull': {
    operation: contract.apps.pull,
    verbs: ['Pull to the staging copy of', 'Pulling to the staging copy of'],
    repeatable: false,
    shown: shownChanges.pulled,
    conclude: concludeWithCredentials,
  },
  'apps.push': {
    operation: contract.apps.push,
    verbs: ['Push staging to', 'Pushing staging to'],
    repeatable: false,
    conclude: concludeWithNote('backup'),
  },
  'backups.create': {
    operation: contract.backups.create,
    verbs: ['Back up', 'Backing up'],
    repeatable: true,
    shown: shownChanges.backedUp,
  },
  'copies.make': {
    operation: contract.copies.make,
    verbs: ['Copy the newest backup of', 'Copying the newest backup of'],
    repeatable: false,
    stored: readCopyFields,
    conclude: concludeCopy,
  },
  'serverBackups.copy': {
    operation: contract.serverBackups.copy,
    verbs: ['Copy the newest backup of the server', 'Copying the newest backup of the server'],
    repeatable: false,
    stored: readCopyFields,
    conclude: concludeCopy,
  },
  'copies.restore': {
    operation: contract.copies.restore,
    verbs: ['Restore from a copy:', 'Restoring from a copy:'],
    repeatable: false,
    conclude: concludeWithNote('kept'),
  },
  'copies.prove': {
    operation: contract.copies.prove,
    verbs: ['Prove a copy of', 'Proving a copy of'],
    repeatable: false,
    stored: readProofFields,
    conclude: concludeProof,
  },
  'backups.restore': {
    operation: contract.backups.restore,
    verbs: ['Restore', 'Restoring'],
    repeatable: false,
    conclude: concludeWithNote('kept'),
  },
}

/** Null for an operation that this version does not know: a newer version stored it, before somebody went back to this one. */
export const findJobKind = (operation: string): (JobKind & { operation: { id: SlowOperationId } }) | null =>
  isSlowOperation(operation) ? jobKinds[operation] : null
