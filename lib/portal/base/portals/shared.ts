/** Whether several portals may share the database, and what keeps their writes apart. */
import 'server-only'
import type { Fence, Postgresql } from '@/lib/database/postgresql'
import { database } from '../db'

/** The database, if it is on PostgreSQL. Null on SQLite, which one portal has for itself. */
export function sharedDatabase(): Postgresql | null {
  const open = database()
  return open.engine === 'postgresql' ? open : null
}

/** Each transaction of `work` is refused once the fence finds nothing. On SQLite nothing is asked: nobody else is there. */
export function fenced<T>(fence: Fence, work: () => Promise<T>): Promise<T> {
  const shared = sharedDatabase()
  return shared ? within(shared, fence, work) : work()
}

/** Awaits inside: Prisma sends a query only when somebody waits for it. */
export function within<T>({ fences }: Postgresql, fence: Fence, work: () => Promise<T>): Promise<T> {
  return fences.run(fence, async () => {
    const result = await work()
    return result
  })
}

/** For what outlasts the work that starts it. */
export function unfenced<T>(work: () => T): T {
  const shared = sharedDatabase()
  return shared ? shared.fences.exit(work) : work()
}
