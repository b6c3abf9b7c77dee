/** Whether a half has a database yet. */
import { existsSync } from 'node:fs'
import type { DatabasePlace } from './place'
import { hasMigrations, withSession } from './postgresql-session'

/** Whether a start has ever made the database. Rejects with DatabaseError if PostgreSQL cannot be reached. */
export const isMade = async (place: DatabasePlace): Promise<boolean> =>
  typeof place === 'string' ? existsSync(place) : withSession(place, hasMigrations)

/** Whether a start has used the portal's database: then it needs its own keys. `gatehouse migrate` alone uses none. Rejects like isMade. */
export const isPortalUsed = async (place: DatabasePlace): Promise<boolean> =>
  typeof place === 'string'
    ? existsSync(place)
    : withSession(place, async (session) => {
        if (!(await hasMigrations(session))) return false
        return (await session.query('SELECT 1 FROM "KeyRing" LIMIT 1')).rows.length > 0
      })
