/** How long the steps of a site's job take, as a client of the service sees them. */
import { createStreamReader } from '@/lib/contract/stream'
import type { Target } from '../service/support/caller'
import { type Figure, median } from './figure'

/** steps: how long each took, in their order. said: when each line came, after how many ms. result: the answer of the operation. */
export type TimedJob = {
  ms: number
  steps: ReadonlyMap<string, number>
  said: ReadonlyMap<string, number>
  result: Record<string, unknown>
}

type Line = { step: string; message: string; status: string; error?: string; result?: Record<string, unknown> }

/** Runs a slow operation to its end; rejects if it fails. fields: of a form; none: a GET. */
export async function timeJob({ baseUrl, key }: Target, path: string, fields?: readonly [string, string][]): Promise<TimedJob> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  const request = fields ? { method: 'POST', body: new URLSearchParams(fields.map((field) => [...field])), headers } : { headers }
  const begun = performance.now()
  const response = await fetch(`${baseUrl}${path}`, request)
  const reader = createStreamReader()
  const steps = new Map([['Start', 0]])
  const said = new Map<string, number>()
  let [present, since, last] = ['Start', begun, { step: '', message: '', status: String(response.status) } as Line]
  for await (const chunk of response.body ?? []) {
    for (const line of reader.push(chunk) as Line[]) {
      const now = performance.now()
      said.set(line.message, now - begun)
      steps.set(present, (steps.get(present) ?? 0) + now - since)
      ;[present, since, last] = [line.step, now, line]
    }
  }
  if (last.status !== 'done') throw new Error(`${path}: ${last.status} ${last.error ?? ''}`)
  return { ms: performance.now() - begun, steps, said, result: last.result ?? {} }
}

/** Where the time goes, as medians. */
export function stepFigures(which: string, jobs: readonly Pick<TimedJob, 'steps'>[]): Figure[] {
  const steps = [...(jobs[0]?.steps.keys() ?? [])]
  return steps.map((step) => ({
    what: `${which}, “${step}”`,
    value: median(jobs.map((job) => job.steps.get(step) ?? Number.NaN)),
    unit: 'ms',
  }))
}
