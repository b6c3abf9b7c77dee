/** Whether a half has a database yet. */
import { existsSync } from 'node:fs'
import type { DatabasePlace } from './place'
import { hasMigrations, withSession } from './postgresql-session'

/** Whether a start has ever made the database. Rejects with DatabaseError if PostgreSQL cannot be reached. */
export const isMade = async (place: DatabasePlace): Promise<boolean> =>
  typeof place === 'string' ? existsSync(place) : withSession(place, hasMigrations)
