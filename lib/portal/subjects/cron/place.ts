/** The position of a job among the others of its system user, and the job to insert it before. */
import 'server-only'
import { type CronJob, fieldsOf, formatJob, type JobFields } from './job'

/** How many neighbours on each side are stored. */
const near = 20

/** The job with its neighbours of the same system user, in their order. */
export function nearJob(job: CronJob, jobs: readonly CronJob[]): JobFields[] {
  const own = jobs.filter(({ user }) => user === job.user)
  const place = own.indexOf(job)
  return own.slice(Math.max(0, place - near), place + 1 + near).map(fieldsOf)
}

/**
 * The field of cron.save for a service that announces extensions: the nearest following job that still exists, else the job after the
 * nearest preceding one. Empty, meaning the end, without either. A job that occurs twice marks no position.
 */
export function placeJob(job: JobFields, before: readonly JobFields[], now: readonly CronJob[]): { before?: string } {
  const present = now.filter(({ user }) => user === job.user)
  const said = present.map(formatJob)
  const indexOf = (neighbour: JobFields): number => {
    const index = said.indexOf(formatJob(neighbour))
    return said.lastIndexOf(formatJob(neighbour)) === index ? index : -1
  }
  const place = before.findIndex((other) => formatJob(other) === formatJob(job))
  if (place < 0) return {}
  const follower = before
    .slice(place + 1)
    .map(indexOf)
    .find((index) => index >= 0)
  const leader = before
    .slice(0, place)
    .map(indexOf)
    .findLast((index) => index >= 0)
  const line = present[follower ?? (leader === undefined ? present.length : leader + 1)]?.line
  return line === undefined ? {} : { before: line }
}
