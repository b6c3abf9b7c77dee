/** What a job is called: "Install web-fra-01", "Create münchen.example". */
import 'server-only'
import type { SlowOperationId } from '@/lib/contract'
import { toReadableName } from '@/lib/text/idn'
import { findJobKind, jobKinds } from './kinds'

export function titleOfJob(operation: string, targetName: string): string {
  const [kind, name] = [findJobKind(operation), toReadableName(targetName)]
  return kind === null ? `Job on ${name}` : `${kind.verbs[0]} ${name}`
}

/** "Installing web-fra-01 failed." */
export function sayJobFailed(operation: string, targetName: string): string {
  const [kind, name] = [findJobKind(operation), toReadableName(targetName)]
  return kind === null ? `A job on ${name} failed.` : `${kind.verbs[1]} ${name} failed.`
}

/** What such jobs do, without a target: "Back up a site". */
export const nameOfKind = (id: SlowOperationId): string => jobKinds[id].operation.description.replace(/\.$/, '')
