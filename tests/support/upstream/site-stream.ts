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

/** The work is done when the last line is sent. */
export async function streamSiteWork(model: Model, response: ServerResponse, work: () => ModelAnswer): Promise<void> {
  const { steps, msPerLine, lost = false } = model.siteLines ?? { steps: [], msPerLine: 0 }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (id: number, event: object) => response.write(`id: ${id}\ndata: ${JSON.stringify({ id, ...event })}\n\n`)
  for (const [index, step] of steps.entries()) {
    send(index + 1, { message: `Doing ${step}`, step, progress: Math.round((index / steps.length) * 100), status: 'running' })
    await pause(msPerLine)
    if (model.siteLines?.cancelled) {
      send(index + 2, cancelled)
      response.end()
      return
    }
  }
  const { status, body } = work()
  const done = { message: 'Done', status: 'done', progress: 100, result: body }
  const end = lost ? lostSight : status === 200 ? done : { message: '', status: 'failed', error: body.error }
  send(steps.length + 1, end)
  response.end()
}
