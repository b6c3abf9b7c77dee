/** What a job is called: "Install web-fra-01", "Create example.org". */
import 'server-only'
import type { SlowOperationId } from '@/lib/contract'
import { findJobKind, jobKinds } from './kinds'

export function titleOfJob(operation: string, targetName: string): string {
  const kind = findJobKind(operation)
  return kind === null ? `Job on ${targetName}` : `${kind.verbs[0]} ${targetName}`
}

/** "Installing web-fra-01 failed." */
export function sayJobFailed(operation: string, targetName: string): string {
  const kind = findJobKind(operation)
  return kind === null ? `A job on ${targetName} failed.` : `${kind.verbs[1]} ${targetName} failed.`
}

/** What such jobs do, without a target: "Back up a site". */
export const nameOfKind = (id: SlowOperationId): string => jobKinds[id].operation.description.replace(/\.$/, '')
