/** Where rules stood that were taken out, so that one that is put back returns to its place. Kept by the machine itself. */
import * as z from 'zod'
import type { Entry, Family } from './ufw'

/** leaders: the lines in front of it in its family. followers: those behind it, nearest first. */
const removedRule = z.object({
  family: z.literal([4, 6]),
  text: z.string(),
  comment: z.string(),
  leaders: z.array(z.string()).default([]),
  followers: z.array(z.string()),
})

type RemovedRule = z.infer<typeof removedRule>

/** As it is stored: JSON. */
export type RemovedText = string

const most = 20

/** What was never ours, or is broken, is nothing. */
function read(text: RemovedText): RemovedRule[] {
  try {
    return z.array(removedRule).parse(JSON.parse(text))
  } catch {
    return []
  }
}

/** With one more, which is about to be taken out of the list. */
export function remember(text: RemovedText, { family, text: line, comment }: Entry, entries: readonly Entry[]): RemovedText {
  const lines = entries.filter((entry) => entry.family === family).map((entry) => entry.text)
  const place = lines.indexOf(line)
  const around = { leaders: lines.slice(0, place), followers: lines.slice(place + 1) }
  return JSON.stringify([{ family, text: line, comment, ...around }, ...without(text, family, line)].slice(0, most))
}

const without = (text: RemovedText, family: Family, line: string): RemovedRule[] =>
  read(text).filter((removed) => removed.family !== family || removed.text !== line)

export const forget = (text: RemovedText, family: Family, line: string): RemovedText =>
  text === '' ? '' : JSON.stringify(without(text, family, line))

/** Its comment, the lines it stood behind, and the entry it stood in front of; before is null where nothing of what followed it is left. Null where it was never here. */
export function recall(
  text: RemovedText,
  family: Family,
  line: string,
  entries: readonly Entry[],
): { comment: string; leaders: readonly string[]; before: Entry | null } | null {
  const removed = read(text).find((candidate) => candidate.family === family && candidate.text === line)
  if (!removed) return null
  const present = new Map(entries.filter((entry) => entry.family === family).map((entry) => [entry.text, entry]))
  const follower = removed.followers.find((candidate) => present.has(candidate))
  return { comment: removed.comment, leaders: removed.leaders, before: follower === undefined ? null : (present.get(follower) ?? null) }
}
