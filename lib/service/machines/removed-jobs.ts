/** Where jobs stood that were taken out of a crontab, so that one that is put back returns to its place, byte for byte. Kept by the machine itself. */
import * as z from 'zod'
import type { Job } from '@/lib/crontab/line'
import { type Crontab, type CrontabText, isSameJob, parseLine } from './crontab'

/** text: the line. before, after: those around it, in their order. */
const removedJob = z.object({ user: z.string(), text: z.string(), before: z.array(z.string()), after: z.array(z.string()) })

type RemovedJob = z.infer<typeof removedJob>

/** As it is stored: JSON. */
export type RemovedText = string

const most = 20
const near = 20

/** What was never ours, or is broken, is nothing. */
function read(text: RemovedText): RemovedJob[] {
  try {
    return z.array(removedJob).parse(JSON.parse(text))
  } catch {
    return []
  }
}

/** With one more: the line at `place`, which is about to be taken out. */
export function remember(text: RemovedText, user: string, { lines }: Crontab, place: number): RemovedText {
  const texts = lines.map((line) => line.text)
  const [line = ''] = texts.slice(place)
  const around = { before: texts.slice(Math.max(0, place - near), place), after: texts.slice(place + 1, place + 1 + near) }
  const others = read(text).filter((removed) => removed.user !== user || removed.text !== line)
  return JSON.stringify([{ user, text: line, ...around }, ...others].slice(0, most))
}

/** The line as it was and the place it goes to by now, and what is kept without it; null where no such job was taken out here. */
export function recall(
  text: RemovedText,
  user: string,
  { lines }: Crontab,
  job: Job,
): { text: CrontabText; place: number; removed: RemovedText } | null {
  const all = read(text)
  const found = all.find((removed) => removed.user === user && isOf(removed, job))
  if (!found) return null
  const removed = JSON.stringify(all.filter((other) => other !== found))
  return {
    text: found.text,
    place: findPlace(
      found,
      lines.map((line) => line.text),
    ),
    removed,
  }
}

function isOf({ text }: RemovedJob, job: Job): boolean {
  const line = parseLine(text)
  return line.job !== null && isSameJob(line.job, job)
}

/** Between the lines it stood between; else beside the nearest that is left and stands there once; else at the end. */
function findPlace({ before, after }: RemovedJob, texts: readonly string[]): number {
  const places = Array.from({ length: texts.length + 1 }, (_, place) => place)
  const whole = places.find((place) => {
    const [ahead, behind] = [texts.slice(Math.max(0, place - before.length), place), texts.slice(place, place + after.length)]
    return isEqual(ahead, before) && isEqual(behind, after)
  })
  if (whole !== undefined) return whole
  const isAnchor = (text: string) => texts.indexOf(text) >= 0 && texts.indexOf(text) === texts.lastIndexOf(text)
  const follower = after.find(isAnchor)
  if (follower !== undefined) return texts.indexOf(follower)
  const leader = before.findLast(isAnchor)
  return leader === undefined ? texts.length : texts.indexOf(leader) + 1
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, place) => text === other[place])
