/** Whether the portal can do its work. */
import 'server-only'
import { db } from './db'

/** True when the database answers. Says nothing more, for anybody may ask. */
export async function isReady(): Promise<boolean> {
  try {
    await db().keyRing.count()
    return true
  } catch {
    return false
  }
}
