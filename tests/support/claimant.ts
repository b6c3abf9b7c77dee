/** Which process of a running Gatehouse has a half's database. */
import { join } from 'node:path'
import { findClaimant } from '@/lib/database/claim'
import type { Place } from './gatehouse-process'

/** Its number. Throws where no process has it. */
export function findHolder(place: Place, name: 'portal' | 'service'): number {
  const pid = findClaimant(join(place.dir, `data/${name}/${name}.db`))
  if (pid === null) throw new Error(`No process has the database of the ${name}.`)
  return pid
}
