/** `gatehouse up` of an installed release during an upgrade: it stays, without its processes, as the parent of what `current` leads to. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { type Order, socketFile, withSocketAddress } from './control-socket'

/** ROOT of the installation, and the environment that the command was started with, before settings were taken into it. */
export type Installed = { root: string; env: NodeJS.ProcessEnv }

export type HandOver = {
  /** Resolves when an upgrade asks for a stop. */
  asked: Promise<'hand-over'>
  /** Called when everything has ended; resolves with the exit code for this process. */
  succeed(): Promise<number>
}

/**
 * So the terminal or the supervisor that started this process sees one process all the time. Listens in the data folder. Null if this is not possible: then no upgrade can stop what runs.
 */
export async function listenForHandOver(dataFolder: string, installed: Installed): Promise<HandOver | null> {
  const server = createServer()
  let client: Socket | null = null
  let hear: (order: Order | 'gone') => void = () => undefined
  const asked = new Promise<'hand-over'>((resolve) => {
    hear = (order) => order === 'stop' && resolve('hand-over')
  })
  server.on('connection', (socket) => {
    if (client !== null) return socket.destroy()
    client = socket
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split('\n')) if (line === 'stop' || line === 'start') hear(line)
    })
    socket.once('close', () => {
      client = null
      hear('gone')
    })
    return undefined
  })
  // A start that was killed leaves its socket. Nobody listens on it: the databases are not in use, which was checked before.
  rmSync(socketFile(dataFolder), { force: true })
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    withSocketAddress(dataFolder, (address) => server.listen(address, () => resolve(true)))
  })
  if (!listening) return null
  const watcher: Watcher = {
    tell: (line) => void client?.write(`${line}\n`),
    isThere: () => client !== null,
    onOrder: (handler) => {
      hear = handler
    },
  }
  return { asked, succeed: () => keepSuccessor(installed, watcher) }
}

type Watcher = { tell(line: string): void; isThere(): boolean; onOrder(handler: (order: Order | 'gone') => void): void }

/** Resolves with an exit code when what `current` leads to has ended and no upgrade is under way. */
function keepSuccessor({ root, env }: Installed, watcher: Watcher): Promise<number> {
  return new Promise((resolve) => {
    let child: ChildProcess | null = null
    let stoppedBy: 'signal' | 'order' | null = null
    const begin = () => {
      stoppedBy = null
      child = spawn(join(root, 'current/gatehouse'), ['up'], {
        env: { ...env, GATEHOUSE_SUCCESSOR: '1' },
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      })
      child.once('error', () => onEnd(127))
      child.once('exit', (code, signal) => onEnd(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
    }
    const onEnd = (code: number) => {
      child = null
      if (stoppedBy === 'order') watcher.tell('stopped')
      else if (stoppedBy === 'signal') resolve(code)
      else if (watcher.isThere()) watcher.tell(`ended ${code}`)
      // The upgrade was killed: the next start undoes or finishes it.
      else if (existsSync(join(root, 'upgrade.json'))) begin()
      else resolve(code)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.removeAllListeners(signal)
      process.on(signal, () => {
        stoppedBy = 'signal'
        if (child === null) resolve(0)
        else child.kill('SIGTERM')
      })
    }
    watcher.onOrder((order) => {
      if (order !== 'stop') {
        if (child === null) begin()
        if (order === 'start') watcher.tell('started')
        return
      }
      stoppedBy = 'order'
      if (child === null) watcher.tell('stopped')
      else child.kill('SIGTERM')
    })
    watcher.tell('stopped')
    if (!watcher.isThere()) begin()
  })
}
