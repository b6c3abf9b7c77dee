/** What a job is called: "Install web-fra-01", "Create münchen.example". */
import 'server-only'
import { toReadableName } from '@/lib/text/idn'
import { eventKinds, isEventJob, type JobOperationId } from './event-kinds'
import { findJobKind, jobKinds } from './kinds'

export function titleOfJob(operation: string, targetName: string): string {
  const before = isEventJob(operation) ? eventKinds[operation].title : findJobKind(operation)?.verbs[0]
  return `${before ?? 'Job on'} ${toReadableName(targetName)}`
}

/** "Installing web-fra-01 failed." "Nightly backup of web-fra-01 failed." */
export function sayJobFailed(operation: string, targetName: string): string {
  if (isEventJob(operation)) return `${titleOfJob(operation, targetName)} failed.`
  const [kind, name] = [findJobKind(operation), toReadableName(targetName)]
  return kind === null ? `A job on ${name} failed.` : `${kind.verbs[1]} ${name} failed.`
}

/** What such jobs do, without a target: "Back up a site". */
export const nameOfKind = (id: JobOperationId): string =>
  isEventJob(id) ? eventKinds[id].name : jobKinds[id].operation.description.replace(/\.$/, '')
