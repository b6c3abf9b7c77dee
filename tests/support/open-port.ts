/** Whether a server listens at an address and answers. */
import { createConnection } from 'node:net'

/** Also false if nothing answers for 1.5 s. */
export function isOpen(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: address, port, timeout: 1_500 })
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
