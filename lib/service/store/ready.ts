/** Whether the database answers. */
import type { Store } from './store'

export async function isReady({ db }: Pick<Store, 'db'>): Promise<boolean> {
  return db.account.count().then(
    () => true,
    () => false,
  )
}
