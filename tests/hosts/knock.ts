/** Connects to a port again and again, to find out whether it is open for a moment. */
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Host } from './lab/lab'

/** Connects to a port every few milliseconds until it is stopped: returns the number of attempts and of successes. */
export function knock(host: Host, port: number) {
  const attempts = { times: 0, answered: 0 }
  const timer = setInterval(() => {
    const socket = createConnection({ host: host.ip, port })
    attempts.times += 1
    socket.once('connect', () => (attempts.answered += 1)).on('error', () => {})
    setTimeout(() => socket.destroy(), 100)
  }, 4)
  return {
    async end() {
      clearInterval(timer)
      await pause(150)
      return attempts
    },
  }
}
