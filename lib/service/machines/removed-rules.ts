/** Comments of deleted rules, stored on the server because no list shows them, so that a saved-again rule gets its comment back. */
import * as z from 'zod'
import type { Entry, Family } from './ufw'

const removedRule = z.object({ family: z.literal([4, 6]), text: z.string(), comment: z.string() })

type RemovedRule = z.infer<typeof removedRule>

/** As it is stored: JSON, or nothing. */
export type RemovedText = string

const most = 20

/** Text that is not ours, or is damaged, counts as nothing. */
function read(text: RemovedText): RemovedRule[] {
  try {
    return z.array(removedRule).parse(JSON.parse(text))
  } catch {
    return []
  }
}

/** Adds the comment of one more rule, which is about to be deleted. */
export function remember(text: RemovedText, { family, text: line, comment }: Entry): RemovedText {
  if (comment === '') return forget(text, family, line)
  return JSON.stringify([{ family, text: line, comment }, ...without(text, family, line)].slice(0, most))
}

const without = (text: RemovedText, family: Family, line: string): RemovedRule[] =>
  read(text).filter((removed) => removed.family !== family || removed.text !== line)

export const forget = (text: RemovedText, family: Family, line: string): RemovedText =>
  text === '' ? '' : JSON.stringify(without(text, family, line))

/** Empty if it had none, or was never deleted here. */
export const recallComment = (text: RemovedText, family: Family, line: string): string =>
  read(text).find((removed) => removed.family === family && removed.text === line)?.comment ?? ''
