/** What the hosts of one test process share: a name server and access to apt packages. */
import { setTimeout as pause } from 'node:timers/promises'
import { isOpen } from '../../support/open-port.ts'
import { startAptProxy } from './apt-proxy.ts'
import { startNamespace } from './namespace.ts'
import { linkProcess, raiseBridge } from './network.ts'
import { script } from './places.ts'

export type Gateway = { nameServer: string; aptProxy: string }

/** Starts both; they end with this process. The name server has an address of its own, so that several processes can each run one. */
export async function startGateway(): Promise<Gateway> {
  await raiseBridge()
  const aptProxy = await startAptProxy()
  const names = await startNamespace(['--net'], ['bash', script('names.sh')])
  const link = await linkProcess(names.pid)
  names.tell(link.address)
  for (let tries = 0; !(await isOpen(link.address, 53)); tries++) {
    if (names.ended() !== null || tries > 100) throw new Error(`The lab's name server does not answer. ${names.ended() ?? names.said()}`)
    await pause(50)
  }
  return { nameServer: link.address, aptProxy }
}
