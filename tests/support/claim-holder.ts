/** Another process that has claimed a database, as a running half has. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const program = (file: string) =>
  `import { claimDatabase } from './lib/database/claim.ts'; claimDatabase(${JSON.stringify(file)}); setInterval(() => {}, 1000); console.log('held')`

/** Resolves once the claim is held. Disposing kills the process. `wrapper` is a command in front of it. */
export async function holdClaim(file: string, wrapper: readonly string[] = []): Promise<AsyncDisposable> {
  const [command = process.execPath, ...rest] = [...wrapper, process.execPath]
  const child = spawn(command, [...rest, '--import', 'tsx', '--input-type=module', '-e', program(file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return {
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
