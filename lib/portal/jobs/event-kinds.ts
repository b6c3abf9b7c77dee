/** What jobs are called that stand for an event of a server: "Nightly backup of web-fra-01". */
import 'server-only'
import { isSlowOperation, operations, type SlowOperationId } from '@/lib/contract'
import type { ServerEventKind } from '@/lib/contract/members'

/** What such a job is stored as, and the action of its entry in the audit log. */
export type EventJobId = `event.${ServerEventKind}`

/** title: before the name of the server, or the domain of the site it is about. subject: whoever may read that of the contract sees the event. */
type EventKind = { name: string; title: string; subject: string }

export const eventKinds: { readonly [Id in EventJobId]: EventKind } = {
  'event.backup': { name: 'Nightly backup', title: 'Nightly backup of', subject: 'serverBackups' },
  'event.renewal': { name: 'Certificate renewal', title: 'Certificate renewal for', subject: 'ssl' },
  'event.updates': { name: 'Automatic updates', title: 'Automatic updates on', subject: 'servers' },
  'event.reboot': { name: 'Reboot', title: 'Reboot of', subject: 'servers' },
}

export const isEventJob = (id: string): id is EventJobId => Object.hasOwn(eventKinds, id)

/** What a job is stored as: an operation of the interface, or an event of a server. */
export type JobOperationId = SlowOperationId | EventJobId

export const isJobOperation = (id: string): id is JobOperationId => isSlowOperation(id) || isEventJob(id)

/** Everything that is followed as work on servers and sites: operations of the interface, and events of servers. */
export const followedWork: readonly { id: string; subject: string }[] = [
  ...operations,
  ...Object.entries(eventKinds).map(([id, { subject }]) => ({ id, subject })),
]
