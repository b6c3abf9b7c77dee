/** The administrator's actions on the service's master key. Each returns the text to print. */
import { olderDatabase, readAnyVersion } from '@/lib/database/any-version'
import { isMade } from '@/lib/database/is-made'
import { type DatabasePlace, describePlace, servicePlace } from '@/lib/database/place'
import { findPendingAt } from '@/lib/database/prepare-place'
import { formatBroken, formatLeft, formatNext, formatOpened, formatRetired, graceMs, tooEarly } from '@/lib/sealing/verification-text'
import { getSettings, type Settings } from '@/lib/settings/settings'
import { Refusal } from './refusal'
import { openStore } from './store/db'
import { findOldKey, retireKey, rotateKeys, type Verified, verifyKeys } from './store/rotation'
import type { Database } from './store/store'

const [rotateCommand, retireCommand] = ['gatehouse keys --service rotate', 'gatehouse keys --service retire']

/** Decrypts every encrypted value, also of a database that an older version wrote. Throws Refusal if any cannot be decrypted, or KeyFileError. */
export async function verify(): Promise<string> {
  const settings = getSettings()
  const { serviceKekFile } = settings
  const found = await readAnyVersion({ place: await requireDatabase(settings), schema: 'service' }, (place) =>
    withStore(place, (db) => verifyKeys(db, serviceKekFile)),
  )
  if (found.broken.length > 0) throw new Refusal(`${formatBroken(found)}\n`)
  return `${inWords(found)}\n`
}

/**
 * Replaces the key in use with a new one and moves every data key under it; the old one can still decrypt. Finishes an interrupted rotation. Throws
 * Refusal if values could not be moved, or KeyFileError.
 */
export function rotate(): Promise<string> {
  return change(async (db) => {
    const { serviceKekFile: current, serviceOldKekFile: old } = getSettings()
    const found = await rotateKeys(db, { current, old })
    if (found.old + found.broken.length > 0) throw new Refusal(`${formatLeft(found)}\n`)
    return `${inWords(found)}\n${formatNext(retireCommand)}\n`
  })
}

/** Retires the previous key, once nothing can be encrypted under it any more. Throws Refusal, or KeyFileError. */
export function retire(): Promise<string> {
  return change(async (db) => {
    const old = await findOldKey(db)
    if (old === null) return 'There is no old key to retire.\n'
    if (Date.now() - old.rotatedAt.getTime() < graceMs) throw new Refusal(`${tooEarly}\n`)
    const { serviceKekFile, serviceOldKekFile } = getSettings()
    const found = await verifyKeys(db, serviceKekFile)
    if (found.broken.length > 0) throw new Refusal(`${formatBroken(found)}\nNo key was retired.\n`)
    if (found.old > 0) throw new Refusal(`${inWords(found)}\nNo key was retired.\n`)
    await retireKey(db, old.id)
    return `${formatRetired(old.id, serviceOldKekFile)}\n`
  })
}

const inWords = (found: Verified): string => formatOpened(found, found.kekId, rotateCommand)

/** Safe while the service runs: it reads the new key from the key file. */
async function change(work: (db: Database) => Promise<string>): Promise<string> {
  const place = await requireDatabase(getSettings())
  if ((await findPendingAt(place, 'service')).length > 0) throw new Refusal(`${olderDatabase}\n`)
  return await withStore(place, work)
}

/** Refuses if the data folder was never used, because opening the database would create an empty one. */
async function requireDatabase(settings: Settings): Promise<DatabasePlace> {
  const place = servicePlace(settings)
  if (await isMade(place)) return place
  throw new Refusal(`There is no database at ${describePlace(place)}. Set GATEHOUSE_DATA or SERVICE_DATABASE_URL as for the service.\n`)
}

async function withStore<Result>(place: DatabasePlace, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openStore(place)
  try {
    return await work(db)
  } finally {
    await db.$disconnect()
  }
}
