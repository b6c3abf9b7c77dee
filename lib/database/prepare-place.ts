/** Brings a half's database to this version's schema, whichever engine it has. Not for the portal's pages: the migrations are read from files beside. */
import type { DatabasePlace } from './place'
import { findPendingOnPostgresql, preparePostgresql } from './postgresql-prepare'
import { findPending, type Prepared, prepareDatabase } from './prepare'
import type { SchemaName } from './schema-engine'

/** Brings the database to this version's schema. Throws DatabaseError. */
export const preparePlace = (place: DatabasePlace, schema: SchemaName): Promise<Prepared> =>
  typeof place === 'string' ? prepareDatabase({ file: place, schema }) : preparePostgresql({ address: place, schema })

/** Names of migrations that are not applied yet. Throws DatabaseError. */
export const findPendingAt = async (place: DatabasePlace, schema: SchemaName): Promise<string[]> =>
  typeof place === 'string' ? findPending(place, schema) : findPendingOnPostgresql({ address: place, schema })
