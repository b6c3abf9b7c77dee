/** Whether the portal can do its work. */
import 'server-only'
import { createWriteCheck } from '@/lib/database/write-check'
import { getSettings } from '@/lib/settings/settings'
import { db } from './db'

// Route bundles may each load this module: one of them writes for all.
const holder: { gatehouseWriteCheck?: () => Promise<boolean> } = globalThis as object

/** True when the database takes a write and its disk has room. Says nothing more, since anybody may ask. */
export function isReady(): Promise<boolean> {
  holder.gatehouseWriteCheck ??= createWriteCheck(getSettings().portalDatabase, () => db().$executeRaw`PRAGMA user_version = 0`)
  return holder.gatehouseWriteCheck()
}
