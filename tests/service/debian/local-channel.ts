/** A dispatcher under this machine's own bash, used like an SSH channel. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createAnswerReader, renderRequest } from '@/lib/service/ssh/frame'
import type { ExecResult, Request } from '@/lib/service/ssh/host-address'

export function openLocalChannel(program: string) {
  const child = spawn('bash', ['--noprofile', '--norc', '-s'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, LC_ALL: 'C' },
  })
  child.stdout.setMaxListeners(0)
  child.setMaxListeners(0)
  child.stdin.write(program)
  return {
    /** One request at a time. */
    run: (request: Request): Promise<ExecResult> =>
      new Promise((resolve, reject) => {
        const nonce = randomBytes(16).toString('hex')
        const reader = createAnswerReader(nonce)
        const listen = (chunk: Buffer) => {
          const answer = reader.push(chunk)
          if (answer === null) return
          child.stdout.off('data', listen)
          resolve(answer)
        }
        child.stdout.on('data', listen)
        child.once('exit', () => reject(new Error('the dispatcher ended')))
        child.stdin.write(renderRequest(nonce, request))
      }),
    write: (text: string) => child.stdin.write(text),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return
      child.stdin.end()
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}
