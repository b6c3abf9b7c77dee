/** Where a half's database is, whichever engine it has. */
import type { PostgresqlAddress } from '@/lib/settings/database'
import type { Settings } from '@/lib/settings/settings'
import { claimDatabase } from './claim'
import { describeAddress } from './postgresql'

/** A file, or a database on PostgreSQL. */
export type DatabasePlace = string | PostgresqlAddress

export const portalPlace = ({ portalPostgresql, portalDatabase }: Settings): DatabasePlace => portalPostgresql ?? portalDatabase
export const servicePlace = ({ servicePostgresql, serviceDatabase }: Settings): DatabasePlace => servicePostgresql ?? serviceDatabase

/** For messages and logs; contains no secret. */
export const describePlace = (place: DatabasePlace): string => (typeof place === 'string' ? place : describeAddress(place))

/** Makes sure that no other process of this machine works on a file; throws ClaimError. PostgreSQL serves several processes. */
export function claimPlace(place: DatabasePlace): void {
  if (typeof place === 'string') claimDatabase(place)
}
