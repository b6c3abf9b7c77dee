/** Where a job stood among the others of its account, and which of them it goes in front of by now. */
import 'server-only'
import { type CronJob, fieldsOf, formatJob, type JobFields } from './job'

/** As many neighbours on either side are kept. */
const near = 20

/** The job with its neighbours of the same account, in their order. */
export function nearJob(job: CronJob, jobs: readonly CronJob[]): JobFields[] {
  const own = jobs.filter(({ user }) => user === job.user)
  const place = own.indexOf(job)
  return own.slice(Math.max(0, place - near), place + 1 + near).map(fieldsOf)
}

/**
 * The field of cron.save for a service that announces extensions: the nearest follower that is there, else whatever stands
 * behind the nearest job in front. Nothing, which means the end, where neither is there. A job that is there twice is no mark.
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
