/** Channels of a connection: a kept one that runs scripts, one at a time, and single ones whose output streams. */
import { randomBytes } from 'node:crypto'
import type { ClientChannel } from 'ssh2'
import type { Connection } from './connect'
import { dispatcherCommand, keptDispatcher, streamDispatcher } from './dispatcher'
import { CutConnection, loginFailed } from './failure'
import { createAnswerReader, defaultTimeoutSeconds, renderRequest } from './frame'
import type { Ran, Request } from './reach'

export type RunAs = Parameters<typeof dispatcherCommand>[0]

/** What a dead dispatcher said last is looked at up to here. */
const diagnosisLimitCharacters = 2_000

/** The host ends a script at its time limit; only when even that does not come is the connection given up. */
const graceSeconds = 15

export type Channel = {
  /** Rejects with CutConnection when the channel ends first. One request at a time. */
  run(request: Request): Promise<Ran>
  isOpen(): boolean
  close(): void
}

/** Opens a channel with the kept dispatcher in it. */
export async function openChannel(connection: Connection, as: RunAs): Promise<Channel> {
  const stream = await execute(connection, dispatcherCommand(as))
  let open = true
  let lastWords = ''
  stream.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString('utf8')).slice(-diagnosisLimitCharacters)
  })
  stream.on('error', () => {})
  stream.once('close', () => {
    open = false
  })
  stream.write(keptDispatcher)
  return {
    run: (request) => ask(stream, request, () => lastWords),
    isOpen: () => open && connection.isOpen(),
    close: () => stream.close(),
  }
}

function ask(stream: ClientChannel, request: Request, lastWords: () => string): Promise<Ran> {
  const nonce = randomBytes(16).toString('hex')
  const bytes = renderRequest(nonce, request)
  const reader = createAnswerReader(nonce)
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      stream.off('data', listen)
      stream.off('close', gone)
      act()
    }
    const gone = () => settle(() => reject(endOf(lastWords())))
    const listen = (chunk: Buffer) => {
      try {
        const answer = reader.push(chunk)
        if (answer !== null) settle(() => resolve(answer))
      } catch (cause) {
        settle(() => reject(new CutConnection({ cause })))
        stream.close()
      }
    }
    const timer = setTimeout(
      () => {
        gone()
        stream.close()
      },
      ((request.timeoutSeconds ?? defaultTimeoutSeconds) + graceSeconds) * 1000,
    )
    stream.on('data', listen)
    stream.once('close', gone)
    if (stream.writable) stream.write(bytes)
    else gone()
  })
}

/** sudo explains itself on stderr before it ends; anything else is a cut. */
function endOf(lastWords: string): Error {
  if (!/^sudo: /m.test(lastWords) || !/password|not allowed|sudoers|terminal/.test(lastWords)) return new CutConnection()
  return loginFailed(
    'The user no longer may use sudo without a password: /etc/sudoers.d/gatehouse is missing on the server. Register it again.',
  )
}

/**
 * Runs one request on a channel of its own and yields its output as it comes. Ends with the script's exit code;
 * throws CutConnection when the channel ended without one. Ending the iteration or the signal closes the channel.
 */
export async function* streamOutput(
  connection: Connection,
  as: RunAs,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<string, number> {
  const stream = await execute(connection, dispatcherCommand(as))
  const close = () => stream.close()
  signal.addEventListener('abort', close)
  let code: number | null = null
  stream.once('exit', (value: number | null) => {
    code = value
  })
  stream.stderr.resume()
  const nonce = randomBytes(16).toString('hex')
  stream.write(streamDispatcher)
  stream.write(renderRequest(nonce, request))
  try {
    if (!signal.aborted) yield* textAfter(stream, `gatehouse ${nonce} stream\n`)
  } catch (cause) {
    throw new CutConnection({ cause })
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
  if (code === null && !signal.aborted) throw new CutConnection()
  return code ?? 0
}

async function* textAfter(stream: ClientChannel, mark: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let noise: string | null = ''
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true })
    if (noise === null) {
      yield text
      continue
    }
    noise = (noise + text).slice(-70_000)
    const at = noise.indexOf(mark)
    if (at < 0) continue
    yield noise.slice(at + mark.length)
    noise = null
  }
}

function execute(connection: Connection, command: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    if (!connection.isOpen()) return reject(new CutConnection({ sent: false }))
    const gone = () => reject(new CutConnection({ sent: false }))
    connection.client.once('close', gone)
    connection.client.exec(command, (error, stream) => {
      connection.client.off('close', gone)
      if (error) reject(new CutConnection({ cause: error, sent: false }))
      else resolve(stream)
    })
  })
}
