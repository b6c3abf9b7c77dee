/** Channels of a connection: persistent ones that run scripts one at a time, and single ones that stream their output. */
import { randomBytes } from 'node:crypto'
import type { ClientChannel } from 'ssh2'
import { createUtf8Reader } from '@/lib/contract/utf8'
import { cleanText } from '../clean-text'
import { dispatcherCommand, keptDispatcher, streamDispatcher } from './dispatcher'
import { CutConnection, loginFailed, withoutTemporaryRoom } from './failure'
import { createAnswerReader, defaultTimeoutSeconds, renderRequest } from './frame'
import type { ExecResult, Request } from './host-address'
import type { Ending, Execute, Session } from './sessions'

export type RunAs = Parameters<typeof dispatcherCommand>[0]

/** How much of the last output is examined to explain why a dispatcher ended. */
const diagnosisLimitCharacters = 2_000

/** Exit code of the dispatcher if it cannot create a temporary folder. */
const noTemporaryFolder = 71

/** The server ends a script at its time limit; this long after that the connection is given up. */
const graceSeconds = 15

export type Channel = {
  /** Rejects with CutConnection if the channel ends first. One request at a time. */
  run(request: Request): Promise<ExecResult>
  isOpen(): boolean
  close(): void
}

/** Opens a channel and starts the persistent dispatcher in it. */
export async function openChannel(execute: Execute, as: RunAs): Promise<Channel> {
  const { stream, user, isOpen, ending } = await execute(dispatcherCommand(as))
  const heard: Heard = { user, ending, answered: false, out: '', err: '' }
  stream.stderr.on('data', (chunk: Buffer) => {
    heard.err = (heard.err + chunk.toString('utf8')).slice(-diagnosisLimitCharacters)
  })
  stream.on('data', (chunk: Buffer) => {
    if (!heard.answered) heard.out = (heard.out + chunk.toString('utf8')).slice(-diagnosisLimitCharacters)
  })
  stream.on('error', () => {})
  stream.write(keptDispatcher)
  return {
    run: (request) => ask(stream, request, heard),
    isOpen: () => !ending.closed && isOpen(),
    close: () => stream.close(),
  }
}

function ask(stream: ClientChannel, request: Request, heard: Heard): Promise<ExecResult> {
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
    const gone = () => settle(() => reject(endOf(heard)))
    const listen = (chunk: Buffer) => {
      try {
        const answer = reader.push(chunk)
        if (answer === null) return
        heard.answered = true
        settle(() => resolve(answer))
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
    // A stream that is no longer writable will close soon, which delivers its exit code and output.
    if (stream.writable) stream.write(bytes)
    else if (heard.ending.closed) gone()
  })
}

/** What a channel received apart from answers. */
type Heard = { user: string; ending: Readonly<Ending>; answered: boolean; out: string; err: string }

/**
 * sudo prints its reason to stderr before it exits, and a login shell that runs no commands exits before the first answer. Any other
 * end is a lost connection.
 */
function endOf({ user, answered, ending: { code }, out, err }: Heard): Error {
  if (/^sudo: /m.test(err) && /password|not allowed|sudoers|terminal/.test(err))
    return loginFailed(
      'The user can no longer use sudo without a password: /etc/sudoers.d/gatehouse is missing on the server. Register it again.',
    )
  if (answered || code === null) return new CutConnection()
  if (code === noTemporaryFolder) return withoutTemporaryRoom()
  const said = cleanText((out || err).trim().split('\n').at(-1) ?? '', 200)
  return loginFailed(
    `${user} can log in to the server but cannot run commands.${said ? ` It said: ${said}` : ''} The user needs a login shell such as /bin/bash: usermod -s /bin/bash ${user}`,
  )
}

/** The output of streamBytes as text. */
export async function* streamOutput(execute: Execute, as: RunAs, request: Request, signal: AbortSignal): AsyncGenerator<string, number> {
  const text = createUtf8Reader()
  const bytes = streamBytes(execute, as, request, signal)
  try {
    for (;;) {
      const next = await bytes.next()
      if (next.done) return next.value
      yield text.push(next.value)
    }
  } finally {
    await bytes.return(0)
  }
}

/**
 * Runs one request on a channel of its own and yields its output as it arrives. Returns the script's exit code; throws CutConnection if
 * the channel closes without one. Ending the iteration or aborting the signal closes the channel.
 */
export async function* streamBytes(execute: Execute, as: RunAs, request: Request, signal: AbortSignal): AsyncGenerator<Uint8Array, number> {
  const { stream, ending }: Session = await execute(dispatcherCommand(as))
  const close = () => stream.close()
  signal.addEventListener('abort', close)
  // The exit code may arrive before the last output.
  const ended = new Promise<number | null>((resolve) => {
    if (ending.closed || ending.code !== null) resolve(ending.code)
    else stream.once('exit', resolve).once('close', () => resolve(null))
  })
  stream.stderr.resume()
  const nonce = randomBytes(16).toString('hex')
  stream.write(streamDispatcher)
  stream.write(renderRequest(nonce, request))
  try {
    if (!signal.aborted) yield* bytesAfter(stream, `gatehouse ${nonce} stream\n`)
  } catch (cause) {
    throw new CutConnection({ cause })
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
  const code = await ended
  if (code === null && !signal.aborted) throw new CutConnection()
  return code ?? 0
}

/** Everything after the mark, which follows what the login shell prints. */
async function* bytesAfter(stream: ClientChannel, mark: string): AsyncGenerator<Uint8Array> {
  let noise: Buffer | null = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (noise === null) {
      yield chunk
      continue
    }
    noise = Buffer.concat([noise, chunk]).subarray(-70_000)
    const at = noise.indexOf(mark)
    if (at < 0) continue
    yield noise.subarray(at + mark.length)
    noise = null
  }
}
