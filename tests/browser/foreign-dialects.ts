/** Four services that do the same work on the same machine, and tell it in ways of their own. */
import type { Fault } from '../support/upstream/faults'
import type { ModelAnswer, UpstreamServer, UpstreamSite } from '../support/upstream/model'
import type { UpstreamOptions } from '../support/upstream/upstream'
import type { Variant } from '../support/upstream/variants'

type Change = 'savealias' | 'deletealias' | 'backup/creates' | 'setssl' | 'setemail'

export type Dialect = {
  name: string
  speaks: readonly Variant[]
  /** How its server's summary and backups are written. */
  server?: Partial<UpstreamServer>
  /** How its site is written: in the list, on its own, and its backups. */
  site?: Partial<UpstreamSite>
  /** How it answers a change once, after it was made. */
  answers?: Partial<Record<Change, Fault>>
  /** Whether it tells the server of a site, and what DNS says. */
  tellsParts: boolean
  /** Why it refuses everything about databases; null if it does not. */
  refusesDatabases: string | null
}

export const dialects: readonly Dialect[] = [
  { name: 'wrapped answers', speaks: ['wrapped', 'bare-item', 'msg'], tellsParts: true, refusesDatabases: null },
  {
    name: 'failures in its own words, also after changes that it made',
    speaks: ['error-in-object', 'text-lines'],
    answers: {
      savealias: '303-after',
      deletealias: '500-after',
      'backup/creates': '500-message-after',
      setssl: '302-after',
      setemail: 'html-after',
    },
    tellsParts: true,
    refusesDatabases: 'Your plan has no databases.',
  },
  {
    name: 'texts for numbers and flags, null, missing members, sizes in other units',
    speaks: ['flags-as-words', 'nulls', 'no-parts', 'error-as-list', 'progress'],
    server: {
      summary: { disk_space: '12', disk_free: '28.0', disk_total: '40', mem_total: '4096', mem_free: '2048' },
      backups: [{ name: 'server-2026-11-20.tar.zst', size: '70' }],
    },
    site: {
      listed: { usage: '100' },
      summary: { disk_usage: '100 MB' },
      backups: [{ name: 'backup-1.tar.gz', size: '40 MB', date: 'Nov 21 10:17' }],
    },
    tellsParts: false,
    refusesDatabases: null,
  },
  {
    name: 'as PHP writes it: numbers, gaps, single objects, a warning first, links without an origin',
    speaks: [
      'numbers',
      'flags-as-numbers',
      'absent-when-empty',
      'bare-objects',
      'objects-by-number',
      'php-warning',
      'html-type',
      'relative-link',
      'error-as-message',
      'crlf',
      'bare-data',
      'stream-as-html',
    ],
    server: {
      summary: { disk_space: '12582912', disk_free: '29360128', disk_total: '41943040', mem_total: '4194304', mem_free: '2097152' },
      backups: [{ name: 'server-2026-11-20.tar.zst', size: '71680' }],
    },
    tellsParts: true,
    refusesDatabases: null,
  },
]

/** An alias that another customer of the service has. */
export const taken = { alias: 'taken.example', reason: 'taken.example belongs to another account.' } as const

const refusal = (status: number, error: string): ModelAnswer => ({ status, body: { success: false, error } })

/** The service of a dialect. */
export const optionsOf = ({ speaks, refusesDatabases }: Dialect): UpstreamOptions => ({
  msPerLine: 150,
  speaks,
  refuses({ path, fields }) {
    if (refusesDatabases !== null && /database(\/tables)?$/.test(path)) return refusal(403, refusesDatabases)
    return fields.alias === taken.alias ? refusal(409, taken.reason) : null
  },
})
