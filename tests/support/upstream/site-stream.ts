/** Slow work on sites as a service with extensions streams it: steps, then the answer in the last event. */
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Model, ModelAnswer } from './model'

const slow =
  /^\/sites\/(create|[^/]+(\/(delete|configure|setssl|setemail|savealias|deletealias|install\/[^/]+|apps\/(pull|push)|backup\/creates|download))?)$/

export const streamsSites = (model: Model, path: string, accept: string | undefined): boolean =>
  model.extensions && model.siteLines !== undefined && slow.test(path) && accept === 'text/event-stream'

const lostError = 'The server is unreachable. The work may still be running there.'
const lostSight = {
  message: lostError,
  status: 'failed',
  error: lostError,
  result: { success: false, error: lostError, code: 'outcome_unknown' },
}

const cancelledError = 'The work was cancelled. What it had done until then is taken back.'
const cancelled = {
  message: cancelledError,
  status: 'failed',
  error: cancelledError,
  result: { success: false, error: cancelledError, code: 'cancelled' },
}

type Run = { events: (object & { id: number })[]; over: boolean; viewers: Set<() => void> }

const runsOf = new WeakMap<Model, Map<string, Run>>()

/**
 * The work continues without whoever asked for it, and is done when the last line is there. With Last-Event-ID nothing is started: the same request
 * gets the lines of its run after that one, and 404 if there was none.
 */
export function streamSiteWork(
  model: Model,
  { key, after }: { key: string; after: string | undefined },
  response: ServerResponse,
  work: () => ModelAnswer,
): void {
  const runs = runsOf.get(model) ?? new Map<string, Run>()
  runsOf.set(model, runs)
  const run = after === undefined ? begin(model, work) : runs.get(key)
  if (!run) {
    const body = { success: false, error: 'There is no such work.', code: 'no_install' }
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return
  }
  runs.set(key, run)
  let sent = Number(after ?? 0)
  if (run.over && !run.events.some(({ id }) => id > sent)) {
    response.writeHead(204).end()
    return
  }
  const tell = () => {
    for (const event of run.events.filter(({ id }) => id > sent)) {
      response.write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
      sent = event.id
    }
    if (run.over) response.end()
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  run.viewers.add(tell)
  response.once('close', () => run.viewers.delete(tell))
  tell()
}

function begin(model: Model, work: () => ModelAnswer): Run {
  const run: Run = { events: [], over: false, viewers: new Set() }
  const { steps, msPerLine, lost = false, until } = model.siteLines ?? { steps: [], msPerLine: 0 }
  const say = (event: object, over = false) => {
    run.events.push({ id: run.events.length + 1, ...event })
    run.over = over
    for (const tell of run.viewers) tell()
  }
  const perform = async () => {
    for (const [index, step] of steps.entries()) {
      say({ message: `Doing ${step}`, step, progress: Math.round((index / steps.length) * 100), status: 'running' })
      await pause(msPerLine)
      if (model.siteLines?.cancelled) return say(cancelled, true)
    }
    await until
    const { status, body } = work()
    const done = { message: 'Done', status: 'done', progress: 100, result: body }
    say(lost ? lostSight : status === 200 ? done : { message: '', status: 'failed', error: body.error }, true)
  }
  void perform()
  return run
}
