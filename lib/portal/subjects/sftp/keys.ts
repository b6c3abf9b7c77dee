/** The SFTP keys of a site, as its service lists them. */
import 'server-only'
import type { Answer } from '@/lib/contract/operation'
import { sftp } from '@/lib/contract/operations/sftp'
import type { Outcome } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '../spine'

type Key = Answer<typeof sftp.list>['items'][number]

export async function listKeys(actor: Actor, target: Target): Promise<Outcome<readonly Key[]>> {
  const read = await runOperation(actor, sftp.list, target)
  return read.ok ? { ...read, data: read.data.items } : read
}

export const findKey = (keys: readonly Key[], fingerprint: string): Key | undefined => keys.find((key) => key.fingerprint === fingerprint)

const maxCommentLength = 60

/** As Activity and messages name a key: its fingerprint, and the beginning of its comment. */
export function nameKey({ fingerprint, comment }: { fingerprint: string; comment: string }): string {
  const short = comment.length > maxCommentLength ? `${comment.slice(0, maxCommentLength)}…` : comment
  return short === '' ? fingerprint : `${fingerprint} (${short})`
}
