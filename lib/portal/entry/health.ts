/** Whether the portal can do its work. */
import 'server-only'
import { createWriteCheck } from '@/lib/database/write-check'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { getSettings } from '@/lib/settings/settings'

// Route bundles may each load this module: one of them writes for all.
const holder: { gatehouseWriteCheck?: () => Promise<boolean> } = globalThis as object

const tell = (writable: boolean): void => {
  if (writable) log.info('the database takes writes again')
  else log.error({ database: getSettings().portalDatabase }, 'the database takes no writes: it is locked, or its disk is full')
}

/** True when the database takes a write and its disk has room. Says nothing more, since anybody may ask. */
export function isReady(): Promise<boolean> {
  holder.gatehouseWriteCheck ??= createWriteCheck(getSettings().portalDatabase, () => db().$executeRaw`PRAGMA user_version = 0`, tell)
  return holder.gatehouseWriteCheck()
}
