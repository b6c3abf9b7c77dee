/** Links to archives that jobs have made: the answer of such a job is stored with its run. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isJsonObject } from '@/lib/contract/json'
import type { MachineRow } from './machines'
import type { SiteOperation } from './site-runs'
import type { Store } from './store'

/** runId: of the job that made the archive. name: of the file. size: in bytes. */
export type Download = { runId: string; name: string; size: number; machine: MachineRow }

const operation: SiteOperation = 'sites.download'

/** The archive behind the path of a link that was made after that time; null if there is none. */
export async function findDownload(store: Store, path: string, after: Date): Promise<Download | null> {
  const where = { operation, state: 'done' as const, endedAt: { gt: after }, machine: { removedAt: null } }
  const runs = await store.db.run.findMany({ where, include: { machine: true } })
  for (const { id: runId, result, machine } of runs) {
    const answer: unknown = JSON.parse(result ?? 'null')
    if (!isJsonObject(answer) || typeof answer.size !== 'number') continue
    if (isSame(answer.download_url, path)) return { runId, name: path.slice(path.lastIndexOf('/') + 1), size: answer.size, machine }
  }
  return null
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Takes as long whatever the link is. */
const isSame = (link: unknown, given: string): boolean => typeof link === 'string' && timingSafeEqual(digest(link), digest(given))
