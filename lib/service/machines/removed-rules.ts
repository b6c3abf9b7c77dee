/** Stores the comments of deleted rules on the server, because no list shows them: undoing a deletion then restores the comment too. */
import * as z from 'zod'
import type { Entry, Family } from './ufw'

const removedRule = z.object({ family: z.literal([4, 6]), text: z.string(), comment: z.string() })

type RemovedRule = z.infer<typeof removedRule>

/** The stored form: JSON, or empty. */
export type RemovedText = string

const most = 20

/** Text in an unknown format, or damaged, counts as empty. */
function read(text: RemovedText): RemovedRule[] {
  try {
    return z.array(removedRule).parse(JSON.parse(text))
  } catch {
    return []
  }
}

/** Adds the comment of a rule that is about to be deleted. */
export function remember(text: RemovedText, { family, text: line, comment }: Entry): RemovedText {
  if (comment === '') return forget(text, family, line)
  return JSON.stringify([{ family, text: line, comment }, ...without(text, family, line)].slice(0, most))
}

const without = (text: RemovedText, family: Family, line: string): RemovedRule[] =>
  read(text).filter((removed) => removed.family !== family || removed.text !== line)

export const forget = (text: RemovedText, family: Family, line: string): RemovedText =>
  text === '' ? '' : JSON.stringify(without(text, family, line))

/** Empty if the rule had no comment or was never deleted here. */
export const recallComment = (text: RemovedText, family: Family, line: string): string =>
  read(text).find((removed) => removed.family === family && removed.text === line)?.comment ?? ''
