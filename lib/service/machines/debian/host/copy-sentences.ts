/** The log lines and errors of a copy of a backup. */
import * as z from 'zod'
import { copyFaults } from '@/lib/service/machines/copy-faults'
import { proofCauses, sentenceOfCause } from '@/lib/service/machines/proven-copy'

const count = z.number().int().nonnegative()

const notCopied = {
  none: 'The site has no backup yet. Create one, then copy it.',
  unverified: 'None of the site’s backups is verified. Create one, then copy it.',
  changed: 'The newest backup was changed since it was made. Create another one, then copy it.',
  'server-none': 'The server has no backup yet. It makes one every night.',
  'server-unverified': 'None of the server’s backups is verified. See its newest nightly run.',
} as const

const failures = {
  ...copyFaults,
  password: 'The password of the repository is wrong: something else is stored in its folder.',
  missing: 'Parts of the repository are missing at the target.',
  damaged: 'Parts of the repository were changed or damaged at the target.',
  unknown: 'The program restic ended without naming a snapshot.',
} as const

const notFetched = {
  'other-site': 'The copy is of a site with another domain.',
  future: 'By its name the copy was made in the future.',
  'other-content': 'The copy is not what was sent: something else was put in its place.',
} as const

const keysOf = <Key extends string>(texts: Readonly<Record<Key, string>>) => Object.keys(texts) as Key[]

export const copyEvents = [
  z.strictObject({ code: z.literal('copy-begun'), name: z.string() }),
  z.strictObject({ code: z.literal('repository-made') }),
  z.strictObject({ code: z.literal('copy-progress'), percent: count }),
  z.strictObject({ code: z.literal('copy-made'), name: z.string(), snapshot: z.string(), bytes: count, added: count }),
  z.strictObject({ code: z.literal('copy-refused'), why: z.enum(keysOf(notCopied)) }),
  z.strictObject({ code: z.literal('fetch-begun'), name: z.string(), snapshot: z.string() }),
  z.strictObject({ code: z.literal('fetched'), name: z.string(), bytes: count }),
  z.strictObject({ code: z.literal('fetch-refused'), why: z.enum(keysOf(notFetched)) }),
  z.strictObject({ code: z.literal('proof-begun'), name: z.string(), snapshot: z.string() }),
  z.strictObject({ code: z.literal('proven'), name: z.string(), bytes: count }),
  z.strictObject({ code: z.literal('not-proven'), why: z.enum(proofCauses) }),
  z.strictObject({ code: z.literal('copy-failed'), why: z.enum(keysOf(failures)) }),
  z.strictObject({ code: z.literal('copies-pruned'), removed: count }),
  z.strictObject({
    code: z.literal('target-passed'),
    deletes: z.literal([0, 1]),
    overwrites: z.literal([0, 1]),
    ahead: z.int().optional(),
  }),
  z.strictObject({ code: z.literal('host-key'), key: z.string() }),
] as const

type CopyEvent = z.infer<(typeof copyEvents)[number]>

const codes: ReadonlySet<string> = new Set(copyEvents.map(({ shape }) => shape.code.value))

export const isCopyEvent = (event: { code: string }): event is CopyEvent => codes.has(event.code)

export function copySentence(event: CopyEvent): string {
  switch (event.code) {
    case 'copy-begun':
      return `Copying the backup ${event.name}.`
    case 'repository-made':
      return 'This is the first copy of this server there: its repository was created.'
    case 'copy-progress':
      return `Read ${event.percent} % of the backup.`
    case 'copy-made':
      return `Copied as snapshot ${event.snapshot}: ${inMegabytes(event.bytes)}, of which ${inMegabytes(event.added)} were new.`
    case 'copy-refused':
      return `${notCopied[event.why]} Nothing was copied.`
    case 'fetch-begun':
      return `Fetching the backup ${event.name} from snapshot ${event.snapshot}.`
    case 'fetched':
      return `Fetched the backup ${event.name}: ${inMegabytes(event.bytes)}. It stays on the server.`
    case 'fetch-refused':
      return `${notFetched[event.why]} Nothing was changed.`
    case 'proof-begun':
      return `Reading the backup ${event.name} from snapshot ${event.snapshot}.`
    case 'proven':
      return `Read ${inMegabytes(event.bytes)} of the backup ${event.name}: its content is what was sent, and its database loads.`
    case 'not-proven':
      return sentenceOfCause(event.why)
    case 'copy-failed':
      return failures[event.why]
    case 'copies-pruned':
      return `Deleted ${event.removed === 1 ? 'one copy' : `${event.removed} copies`}.`
    case 'target-passed':
      return 'Copies can be stored at the target.'
    case 'host-key':
      return `The target shows the host key ${event.key}.`
  }
}

const inMegabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`
