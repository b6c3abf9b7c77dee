/** The log lines and errors of pulls and pushes. */
import * as z from 'zod'

const count = z.number().int().nonnegative()
/** now, before: counts in the copy and in its source, on the sites with the domains `at` and `from`. */
const difference = { now: count, before: count, at: z.string(), from: z.string() }

export const transferEvents = [
  z.strictObject({ code: z.literal('not-one-moment'), count }),
  z.strictObject({ code: z.literal('tables-ready'), count }),
  z.strictObject({ code: z.literal('files-ready'), count }),
  z.strictObject({ code: z.literal('rows-missing'), table: z.string(), now: count, before: count }),
  z.strictObject({ code: z.literal('no-password'), name: z.string() }),
  z.strictObject({ code: z.literal('copied-rows-differ'), table: z.string(), ...difference }),
  z.strictObject({ code: z.literal('copied-history-differs'), table: z.string(), ...difference }),
  z.strictObject({ code: z.literal('copied-routines-differ'), ...difference }),
  z.strictObject({ code: z.literal('files-not-noted') }),
  z.strictObject({ code: z.literal('live-changed'), kind: z.enum(['kept', 'both', 'deleted', 'all']), names: z.string(), unnamed: count }),
  z.strictObject({ code: z.literal('late-kept'), count }),
] as const

const changedOnLive = {
  kept: 'Changed on live since the pull, and kept',
  both: 'Changed on both sides, and kept as live has it',
  deleted: 'Deleted on live since the pull, and not copied back',
  all: 'Changed on live since the pull, and replaced',
} as const

type TransferEvent = z.infer<(typeof transferEvents)[number]>

export function transferSentence(event: TransferEvent): string {
  switch (event.code) {
    case 'not-one-moment':
      return `Not InnoDB: ${event.count} tables, so the copy is not of one moment.`
    case 'files-ready':
      return `Ready: ${event.count} files.`
    case 'tables-ready':
      return `Ready: ${event.count} tables.`
    case 'rows-missing':
      return `The table ${event.table} has ${event.now} rows, and ${event.before} were copied into it.`
    case 'no-password':
      return `The database user ${event.name} does not sign in by a password.`
    case 'copied-rows-differ':
      return `${event.table}: ${event.now} rows on ${event.at}, ${event.before} on ${event.from}.`
    case 'copied-history-differs':
      return `${event.table}: ${event.now} former rows on ${event.at}, ${event.before} on ${event.from}.`
    case 'copied-routines-differ':
      return `Stored routines: ${event.now} on ${event.at}, ${event.before} on ${event.from}.`
    case 'files-not-noted':
      return 'The pull was made by an earlier version of Gatehouse, which noted no files. What only live has, and what was written there since the pull, is kept.'
    case 'live-changed':
      return `${changedOnLive[event.kind]}: ${event.names}${event.unnamed ? ` and ${event.unnamed} more` : ''}.${event.kind === 'all' ? ' The backup has them.' : ''}`
    case 'late-kept':
      return `Written meanwhile, and kept: ${event.count} files.`
  }
}

const codes: ReadonlySet<string> = new Set(transferEvents.map((each) => each.shape.code.value))

export const isOfTransfer = (event: { code: string }): event is TransferEvent => codes.has(event.code)
