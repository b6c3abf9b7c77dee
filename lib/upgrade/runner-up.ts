/** Gatehouse as `gatehouse up` runs it: orders go through a socket in the data folder. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describeClaim, findClaimant } from '@/lib/database/claim'
import { type Order, withSocketAddress } from '@/lib/launcher/control-socket'
import { type HalfPlace, hasDatabase } from './halves'
import { UpgradeError } from './installation'
import type { Runner } from './runner'

const [answerMs, listenMs] = [45_000, 10_000]

/** Resolves with null if no `gatehouse up` listens there. */
async function connectTo(dataFolder: string): Promise<Socket | null> {
  try {
    const socket = withSocketAddress(dataFolder, (address) => connect(address))
    await once(socket, 'connect')
    return socket.on('error', () => undefined)
  } catch {
    return null
  }
}

/** One that has just started listens a moment after it is ready. */
async function connectOnceUp(portal: HalfPlace, service: HalfPlace): Promise<Socket | null> {
  for (const deadline = Date.now() + listenMs; ; await delay(200)) {
    const socket = await connectTo(portal.settings.dataDir)
    if (socket !== null || findOther([portal, service]) === null || Date.now() > deadline) return socket
  }
}

/** Rejects with UpgradeError if Gatehouse runs in a way that this command cannot stop. */
export async function createUpRunner(portal: HalfPlace, service: HalfPlace): Promise<Runner> {
  const socket = await connectOnceUp(portal, service)
  if (socket === null) refuseOther([portal, service])
  let heard = ''
  socket?.on('data', (chunk) => (heard += chunk))
  const order = async (given: Order, answer: string) => {
    if (socket === null) throw new UpgradeError('Gatehouse is not running.')
    heard = ''
    socket.write(`${given}\n`)
    for (const deadline = Date.now() + answerMs; !heard.includes(`${answer}\n`); ) {
      if (socket.closed || Date.now() > deadline) throw new UpgradeError(`gatehouse up did not ${given} what it runs.`)
      await Promise.race([once(socket, 'data'), once(socket, 'close'), timeout(1_000)])
    }
  }
  return {
    name: 'gatehouse up',
    portal,
    service,
    isRunning: async () => socket !== null && !socket.closed,
    stop: () => order('stop', 'stopped'),
    // Whoever started gatehouse up starts it again if it has ended.
    start: async () => (socket === null ? undefined : order('start', 'started')),
    findEnd: async () => {
      if (socket?.closed) return 'gatehouse up has ended.'
      const [, code] = /^ended (\d+)$/m.exec(heard) ?? []
      return code === undefined ? null : `It ended with ${code}; its output says why.`
    },
    close: () => void socket?.end(),
  }
}

const timeout = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref())

/** Whose database is in use, in a sentence; null if none is. */
function findOther(places: readonly HalfPlace[]): string | null {
  for (const { database } of places.filter((place) => !place.onPostgresql && hasDatabase(place))) {
    const claimant = findClaimant(database)
    if (claimant !== null) return describeClaim(database, claimant)
  }
  return null
}

function refuseOther(places: readonly HalfPlace[]): void {
  const other = findOther(places)
  if (other !== null) throw new UpgradeError(`${other} It was not started by gatehouse up of this installation.`)
}
