import type { Answer } from '@/lib/contract/operation'
import type { logs } from '@/lib/contract/operations/logs'
import type { ReadAddress } from '../reads/read-address'

export type LogAnswer = Answer<typeof logs.fetch>

/** What has logs: a server or a site. */
export type LogSource = {
  name: string
  read: (log: string) => ReadAddress<LogAnswer>
  /** A log's label. */
  format: (log: string) => string
  /** The log to show first. */
  first: string
  /** The logs to offer if a service does not list its own. */
  usual: readonly string[]
}
