/** Serves archives of sites, streamed from their servers. A link needs no API key: whoever has it may read the archive. */
import { problem } from '@/lib/contract/problem'
import { answerProblem } from './answer'
import { readRange } from './byte-range'
import { describeFailure, findProblem } from './failure'
import type { Fleet } from './machines/fleet'
import { downloadMs } from './runs/result'
import { type Download, findDownload } from './store/downloads'
import type { MachineRow } from './store/machines'
import type { Store } from './store/store'

type Logger = { warn(details: object, message: string): void }

export type Downloads = {
  /** The archive, or the part of it that was asked for. A link is good until its last byte was sent once, or for a quarter of an hour. */
  answer(request: Request): Promise<Response>
}

const gone = problem('not_found', { sentence: 'This link is no longer valid. Prepare another archive.' })

export function createDownloads({ store, fleet, log }: { store: Store; fleet: Fleet<MachineRow>; log: Logger }): Downloads {
  /** By run. After a restart of the service, the server knows: it has deleted them. */
  const sent = new Map<string, Date>()

  const noteSent = async ({ runId, machine }: Download) => {
    for (const [id, at] of sent) if (Date.now() - at.getTime() > downloadMs) sent.delete(id)
    sent.set(runId, new Date())
    const tell = (error: unknown) => log.warn({ run: runId, ...describeFailure(error) }, 'an archive could not be deleted')
    await fleet.machine(machine).sites.removeDownload(runId).catch(tell)
  }

  return {
    async answer(request) {
      const download = await findDownload(store, new URL(request.url).pathname, new Date(Date.now() - downloadMs))
      if (!download || sent.has(download.runId)) return answerProblem(gone)
      const { size, runId, machine } = download
      const tag = `"${runId}"`
      const range = readRange(request.headers, size, tag)
      if (range === 'unsatisfiable') return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } })
      const { from, to } = range ?? { from: 0, to: size }
      const leave = new AbortController()
      const bytes = limit(fleet.machine(machine).sites.readDownload(runId, from, leave.signal), to - from)
      // Read before the answer begins, so that an unreachable server is reported as one.
      const first = await bytes.next().catch((error: unknown) => {
        if (findProblem(error)?.code === 'changed_meanwhile') return null
        throw error
      })
      if (first === null) return answerProblem(gone)
      const whole = to === size ? () => noteSent(download) : async () => {}
      const body = streamOf(first, bytes, { whole, left: () => leave.abort() })
      return new Response(body, {
        status: range ? 206 : 200,
        headers: {
          ...headersOf(download),
          etag: tag,
          'content-length': String(to - from),
          ...(range && { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
        },
      })
    },
  }
}

const headersOf = ({ name }: Download) => ({
  'content-type': 'application/gzip',
  'content-disposition': `attachment; filename="${name}"`,
  'accept-ranges': 'bytes',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
})

/** The first `length` bytes. Throws if there are fewer. */
async function* limit(chunks: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let left = length
  for await (const chunk of chunks) {
    const part = chunk.subarray(0, left)
    left -= part.length
    if (part.length > 0) yield part
    if (left === 0) return
  }
  throw new Error('the archive ended early')
}

type Ends = { whole(): Promise<void>; left(): void }

/** Pulls no faster than the reader consumes. */
function streamOf(first: IteratorResult<Uint8Array>, rest: AsyncGenerator<Uint8Array>, { whole, left }: Ends): ReadableStream<Uint8Array> {
  let next: IteratorResult<Uint8Array> | null = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = next ?? (await rest.next())
        next = null
        if (!done) return controller.enqueue(value)
        controller.close()
        await whole()
      },
      cancel() {
        left()
        // So that it gives back its connection.
        void rest.return(undefined).catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}
