/** Where a half's database is, whichever engine it has, and what every start and command does with it. */
import { existsSync } from 'node:fs'
import type { PostgresqlAddress } from '@/lib/settings/database'
import type { Settings } from '@/lib/settings/settings'
import { claimDatabase } from './claim'
import { describeAddress } from './postgresql'
import { findPendingOnPostgresql, isPrepared, preparePostgresql } from './postgresql-prepare'
import { findPending, type Prepared, prepareDatabase } from './prepare'
import type { SchemaName } from './schema-engine'

/** A file, or a database on PostgreSQL. */
export type DatabasePlace = string | PostgresqlAddress

export const portalPlace = ({ portalPostgresql, portalDatabase }: Settings): DatabasePlace => portalPostgresql ?? portalDatabase
export const servicePlace = ({ servicePostgresql, serviceDatabase }: Settings): DatabasePlace => servicePostgresql ?? serviceDatabase

/** For messages and logs; contains no secret. */
export const describePlace = (place: DatabasePlace): string => (typeof place === 'string' ? place : describeAddress(place))

/** The sentence of commands that work on files only, if one of the databases is on PostgreSQL; else null. */
export const refusePostgresql = ({ portalPostgresql, servicePostgresql }: Settings): string | null =>
  portalPostgresql || servicePostgresql
    ? 'This command is for databases in files. Use pg_dump and pg_restore for those on PostgreSQL, as docs/running.md says.'
    : null

/** Brings the database to this version's schema. Throws DatabaseError. */
export const preparePlace = (place: DatabasePlace, schema: SchemaName): Promise<Prepared> =>
  typeof place === 'string' ? prepareDatabase({ file: place, schema }) : preparePostgresql({ address: place, schema })

/** Names of migrations that are not applied yet. Throws DatabaseError. */
export const findPendingAt = async (place: DatabasePlace, schema: SchemaName): Promise<string[]> =>
  typeof place === 'string' ? findPending(place, schema) : findPendingOnPostgresql({ address: place, schema })

/** Whether a start has ever made the database. Throws DatabaseError if PostgreSQL cannot be reached. */
export const isMade = async (place: DatabasePlace): Promise<boolean> => (typeof place === 'string' ? existsSync(place) : isPrepared(place))

/** Makes sure that no other process of this machine works on a file; throws ClaimError. PostgreSQL serves several processes. */
export function claimPlace(place: DatabasePlace): void {
  if (typeof place === 'string') claimDatabase(place)
}
