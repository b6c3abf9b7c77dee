/** What jobs are called that stand for an event of a server: "Nightly backup of web-fra-01". */
import 'server-only'
import { isSlowOperation, type SlowOperationId } from '@/lib/contract'
import type { ServerEventKind } from '@/lib/contract/members'

/** What such a job is stored as, and the action of its entry in the audit log. */
export type EventJobId = `event.${ServerEventKind}`

/** title: before the name of the server, or the domain of the site it is about. */
type EventKind = { name: string; title: string }

export const eventKinds: { readonly [Id in EventJobId]: EventKind } = {
  'event.backup': { name: 'Nightly backup', title: 'Nightly backup of' },
  'event.renewal': { name: 'Certificate renewal', title: 'Certificate renewal for' },
  'event.updates': { name: 'Automatic updates', title: 'Automatic updates on' },
  'event.reboot': { name: 'Reboot', title: 'Reboot of' },
}

export const isEventJob = (id: string): id is EventJobId => Object.hasOwn(eventKinds, id)

/** What a job is stored as: an operation of the interface, or an event of a server. */
export type JobOperationId = SlowOperationId | EventJobId

export const isJobOperation = (id: string): id is JobOperationId => isSlowOperation(id) || isEventJob(id)
