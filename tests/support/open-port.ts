/** Whether somebody listens at an address and is let answer. */
import { createConnection } from 'node:net'

/** False too for whoever keeps silent for a second and a half. */
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
