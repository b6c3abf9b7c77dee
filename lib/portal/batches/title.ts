/** What a batch is called: "Back up 5 sites". */
import 'server-only'
import { findBatchKind } from './kinds'

const count = new Intl.NumberFormat('en-GB')

export function titleOfBatch(operation: string, targets: number): string {
  const kind = findBatchKind(operation)
  const noun = kind?.targets ?? 'target'
  return (kind?.title ?? `${operation}: %`).replace('%', `${count.format(targets)} ${noun}${targets === 1 ? '' : 's'}`)
}
