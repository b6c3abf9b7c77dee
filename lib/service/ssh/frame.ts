/** The framing of requests and answers on a persistent channel: a length precedes each part, so no content can be mistaken for a frame. */
import { Buffer } from 'node:buffer'
import type { ExecResult, Request } from './host-address'

/** The limit for each output of a script; the rest is dropped, and the result is marked as truncated. */
export const outputLimitBytes = 1024 * 1024

/** How much a login shell may print before the dispatcher's own output. */
const noiseLimitBytes = 64 * 1024

export const defaultTimeoutSeconds = 60

/** A script or a value that cannot be sent because it contains NUL, which terminates values in the dispatcher. */
export class UnsendableValue extends Error {
  constructor() {
    super('a value holds a NUL character')
    this.name = 'UnsendableValue'
  }
}

/**
 * Renders one request: a header line with the lengths, the script's bytes, then each value as its length, a line feed and its bytes.
 * Throws UnsendableValue when a part contains NUL.
 */
export function renderRequest(nonce: string, request: Request): Buffer {
  const script = Buffer.from(request.script, 'utf8')
  const values = (request.values ?? []).map((value) => Buffer.from(value, 'utf8'))
  if ([script, ...values].some((part) => part.includes(0))) throw new UnsendableValue()
  const timeoutSeconds = request.timeoutSeconds ?? defaultTimeoutSeconds
  const header = `run ${nonce} ${timeoutSeconds} ${outputLimitBytes + 1} ${script.length} ${values.length}\n`
  const parts = values.flatMap((value) => [Buffer.from(`${value.length}\n`), value])
  return Buffer.concat([Buffer.from(header), script, ...parts])
}

type Header = { code: number; outBytes: number; errBytes: number; bodyAt: number }

export type AnswerReader = {
  /** Accepts bytes as they arrive; returns the answer after its last byte. Throws if the server violates the protocol. */
  push(chunk: Uint8Array): ExecResult | null
}

/** Reads the answer to the request with this nonce. Ignores the output of the login shell before its header. */
export function createAnswerReader(nonce: string): AnswerReader {
  const chunks: Uint8Array[] = []
  let held = 0
  let header: Header | null = null
  return {
    push(chunk) {
      chunks.push(chunk)
      held += chunk.length
      if (header !== null && held < header.bodyAt + header.outBytes + header.errBytes) return null
      const bytes = Buffer.concat(chunks)
      header ??= findHeader(bytes, nonce)
      if (header === null) {
        if (held > noiseLimitBytes) throw new Error('no answer within the bounds of a login banner')
        return null
      }
      if (held < header.bodyAt + header.outBytes + header.errBytes) return null
      return readBody(bytes, header)
    },
  }
}

function findHeader(bytes: Buffer, nonce: string): Header | null {
  const start = bytes.indexOf(`gatehouse ${nonce} `)
  const end = start < 0 ? -1 : bytes.indexOf('\n', start)
  if (end < 0) return null
  const match = /^gatehouse \S+ (\d{1,3}) (\d{1,8}) (\d{1,8})$/.exec(bytes.toString('latin1', start, end))
  if (match === null) throw new Error('an answer with a header that makes no sense')
  const [outBytes, errBytes] = [Number(match[2]), Number(match[3])]
  if (Math.max(outBytes, errBytes) > outputLimitBytes + 1) throw new Error('an answer beyond the bound')
  return { code: Number(match[1]), outBytes, errBytes, bodyAt: end + 1 }
}

function readBody(bytes: Buffer, header: Header): ExecResult {
  const errAt = header.bodyAt + header.outBytes
  const cut = (from: number, length: number) => bytes.toString('utf8', from, from + Math.min(length, outputLimitBytes))
  return {
    code: header.code,
    stdout: cut(header.bodyAt, header.outBytes),
    stderr: cut(errAt, header.errBytes),
    truncated: Math.max(header.outBytes, header.errBytes) > outputLimitBytes,
  }
}
