/** For what is done just before Gatehouse starts: nothing of it runs, except perhaps the other unit. */
import { findClaimant } from '@/lib/database/claim'
import { type HalfPlace, hasDatabase } from './halves'
import { UpgradeError } from './installation'
import type { Runner } from './runner'
import { showUnit, systemctl, unitOf } from './systemctl'

export function createStartRunner(portal: HalfPlace, service: HalfPlace, hasUnits: boolean): Runner {
  // On PostgreSQL no file shows it. A unit that is starting just now is not active yet.
  const isInUse = async (place: HalfPlace) =>
    place.onPostgresql
      ? hasUnits && (await showUnit(place.half, ['ActiveState'])).ActiveState === 'active'
      : hasDatabase(place) && findClaimant(place.database) !== null
  const listRunning = async () => {
    const running: HalfPlace[] = []
    for (const place of [portal, service]) if (await isInUse(place)) running.push(place)
    return running
  }
  const stopped: HalfPlace[] = []
  return {
    name: 'this start',
    portal,
    service,
    isRunning: async () => (await listRunning()).length > 0,
    stop: async () => {
      for (const place of await listRunning()) {
        if (!hasUnits) throw new UpgradeError(`The ${place.half} is running, and an upgrade was interrupted. Stop it first.`)
        await systemctl('stop', unitOf(place.half))
        stopped.push(place)
      }
    },
    // The unit that is starting cannot wait for one that starts after it.
    start: async () => {
      for (const { half } of stopped) await systemctl('start', '--no-block', unitOf(half))
    },
    findEnd: async () => null,
    close: () => undefined,
  }
}
