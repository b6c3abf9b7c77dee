/** A job's lines as a stream of server-sent events for one browser. */
import 'server-only'
import { endingSignal } from '@/lib/portal/base/ending'
import { countViewer } from '@/lib/portal/base/figures'
import { subscribe } from './bus'
import type { ResumePoint } from './resume-point'
import { ViewerSession } from './viewer-session'

export type ViewerTiming = { heartbeatMs: number; recheckMs: number; patienceMs: number }

export type Viewer = {
  jobId: string
  from: ResumePoint
  hidesServer: boolean
  /** Whether this user may still see this job; checked at least every 5 s. */
  mayStillSee: () => Promise<boolean>
  /** The request's own signal, which has the same effect as the stream's cancel. */
  signal: AbortSignal
  timing?: ViewerTiming
  /** Called once, when the stream is over. */
  onEnd?: () => void
}

const usual: ViewerTiming = { heartbeatMs: 15_000, recheckMs: 4_000, patienceMs: 30_000 }

// How many bytes a browser may lag behind before the portal stops reading for it.
const highWaterBytes = 262_144

/**
 * Opens the stream: the state, all lines after the resume point, then new lines, and the final state when the job ends. `reset` tells
 * the browser to discard its lines. Disconnecting stops only the stream.
 */
export function openViewer({ jobId, from, hidesServer, mayStillSee, signal, timing = usual, onEnd }: Viewer): ReadableStream<Uint8Array> {
  let session: ViewerSession | null = null
  const stops: (() => void)[] = onEnd ? [onEnd] : []
  const stop = () => {
    for (const each of stops.splice(0)) each()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const opened = new ViewerSession({ jobId, from, sink: controller, patienceMs: timing.patienceMs, hidesServer })
        session = opened
        const close = () => {
          stop()
          opened.close()
        }
        const recheck = async () => {
          if (!(await mayStillSee())) close()
        }
        // Everything is set up before the first await, so that it is cleaned up in any case.
        signal.addEventListener('abort', close, { once: true })
        stops.push(() => signal.removeEventListener('abort', close))
        const goElsewhere = () => {
          opened.sendAway()
          close()
        }
        endingSignal().addEventListener('abort', goElsewhere, { once: true })
        stops.push(() => endingSignal().removeEventListener('abort', goElsewhere))
        stops.push(countViewer())
        stops.push(subscribe(jobId, opened.tell))
        stops.push(every(timing.heartbeatMs, opened.beat, close))
        stops.push(every(timing.recheckMs, recheck, close))
        if (signal.aborted) close()
        else if (endingSignal().aborted) goElsewhere()
        else void opened.run().then(close, close)
      },
      pull: () => session?.pulled(),
      cancel() {
        stop()
        session?.abandon()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: highWaterBytes }),
  )
}

/** Repeats `act`. If it throws, the state is unknown, so `fail` is called. Returns the function that stops it. */
function every(ms: number, act: () => Promise<void>, fail: () => void): () => void {
  const timer = setInterval(() => void act().catch(fail), ms)
  return () => clearInterval(timer)
}
