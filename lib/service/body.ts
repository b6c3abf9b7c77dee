/** Request bodies, read only up to their limit. */
import { type Problem, problem } from '@/lib/contract/problem'

/** The longest body: many times a private key and a few names. */
const maxBodyBytes = 1_048_576

const cutShort = { done: undefined, value: undefined }

/** The body's bytes; `too_large` as soon as that is known, whatever the header says; `invalid` when the sender disconnects. */
export async function readBody(request: Request, maxBytes = maxBodyBytes): Promise<Uint8Array<ArrayBuffer> | Problem> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytes) return problem('too_large')
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => cutShort)
    if (done === undefined) return problem('invalid', { sentence: 'The request ended in the middle of its body.' })
    if (done) return Buffer.concat(chunks)
    length += value.byteLength
    if (length > maxBytes) {
      await reader.cancel()
      return problem('too_large')
    }
    chunks.push(value)
  }
}
