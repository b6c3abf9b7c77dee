/** Stores deleted jobs with the comments and settings around them on the server, so that undoing a deletion restores them byte for byte. */
import * as z from 'zod'
import type { Job } from '@/lib/crontab/line'
import { type Crontab, type CrontabText, isSameJob, parseLine } from './crontab'

/** text: the line. before, after: the lines between it and the adjacent jobs, in order. Older versions also stored jobs there. */
const removedJob = z.object({ user: z.string(), text: z.string(), before: z.array(z.string()), after: z.array(z.string()) })

type RemovedJob = z.infer<typeof removedJob>

/** The stored form: JSON. */
export type RemovedText = string

const most = 20
const near = 20

/** Text in an unknown format, or damaged, counts as empty. */
function read(text: RemovedText): RemovedJob[] {
  try {
    return z.array(removedJob).parse(JSON.parse(text))
  } catch {
    return []
  }
}

/** Adds the line at `place`, which is about to be deleted. */
export function remember(text: RemovedText, user: string, { lines }: Crontab, place: number): RemovedText {
  const texts = lines.map((line) => line.text)
  const [line = ''] = texts.slice(place)
  const next = lines.findIndex(({ job }, index) => index > place && job !== null)
  const end = next < 0 ? lines.length : next
  const before = texts.slice(Math.max(startOfGap(lines, place), place - near), place)
  const after = texts.slice(place + 1, Math.min(end, place + 1 + near))
  const others = read(text).filter((removed) => removed.user !== user || removed.text !== line)
  return JSON.stringify([{ user, text: line, before, after }, ...others].slice(0, most))
}

/** Where the non-job lines directly before `place` begin. */
const startOfGap = (lines: Crontab['lines'], place: number): number => lines.slice(0, place).findLastIndex(({ job }) => job !== null) + 1

/**
 * The original line, its position, and the stored text without it; null if no such job was deleted here.
 * named: the index of the job to insert it before; null for the end.
 */
export function recall(
  text: RemovedText,
  user: string,
  { lines }: Crontab,
  job: Job,
  named: number | null,
): { text: CrontabText; place: number; removed: RemovedText } | null {
  const all = read(text)
  const found = all.find((removed) => removed.user === user && isOf(removed, job))
  if (!found) return null
  const removed = JSON.stringify(all.filter((other) => other !== found))
  return { text: found.text, place: findPlace(found, lines, named), removed }
}

function isOf({ text }: RemovedJob, job: Job): boolean {
  const line = parseLine(text)
  return line.job !== null && isSameJob(line.job, job)
}

/**
 * First searches the comments and settings before the named job, or at the end. Without a named job it may have been anywhere:
 * if the surviving lines elsewhere identify its position uniquely, it goes there.
 */
function findPlace(removed: RemovedJob, lines: Crontab['lines'], named: number | null): number {
  const texts = lines.map((line) => line.text)
  const end = named ?? lines.length
  const start = startOfGap(lines, end)
  const gap = texts.slice(start, end)
  const [inGap] = placesBetween(removed, gap)
  if (inGap !== undefined) return start + inGap
  if (named !== null) return start + placeBeside(removed, gap)
  const [place, ...others] = placesBetween(removed, texts)
  return place !== undefined && others.length === 0 ? place : placeBeside(removed, texts)
}

/** The positions where all lines that surrounded the job still exist. */
const placesBetween = ({ before, after }: RemovedJob, texts: readonly string[]): number[] =>
  Array.from({ length: texts.length + 1 }, (_, place) => place).filter((place) => {
    const [ahead, behind] = [texts.slice(Math.max(0, place - before.length), place), texts.slice(place, place + after.length)]
    return isEqual(ahead, before) && isEqual(behind, after)
  })

/** Next to the nearest remaining line that occurs exactly once; else at the end. */
function placeBeside({ before, after }: RemovedJob, texts: readonly string[]): number {
  const isAnchor = (text: string) => texts.indexOf(text) >= 0 && texts.indexOf(text) === texts.lastIndexOf(text)
  const follower = after.find(isAnchor)
  if (follower !== undefined) return texts.indexOf(follower)
  const leader = before.findLast(isAnchor)
  return leader === undefined ? texts.length : texts.indexOf(leader) + 1
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, place) => text === other[place])
