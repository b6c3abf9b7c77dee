/** What the hosts of one test process share: a name server and the way to apt packages. */
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startAptProxy } from './apt-proxy.ts'
import { startNamespace } from './namespace.ts'
import { linkProcess, raiseBridge } from './network.ts'
import { script } from './places.ts'

export type Gateway = { nameServer: string; aptProxy: string }

/** Starts both; they end with this process. The name server has an address of its own, so that several processes may each have one. */
export async function startGateway(): Promise<Gateway> {
  await raiseBridge()
  const aptProxy = await startAptProxy()
  const names = await startNamespace(['--net'], ['bash', script('names.sh')])
  const link = await linkProcess(names.pid)
  names.tell(link.address)
  for (let tries = 0; !(await answers(link.address)); tries++) {
    if (names.ended() !== null || tries > 100) throw new Error(`The lab's name server does not answer. ${names.ended() ?? names.said()}`)
    await pause(50)
  }
  return { nameServer: link.address, aptProxy }
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: address, port: 53, timeout: 1000 })
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}
