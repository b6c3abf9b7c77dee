/** What can be copied between a site and its staging copy. */

/** rows: as MariaDB estimates them. */
export type SiteTable = { name: string; bytes: number; rows: number }

/**
 * A table of a live site. pulled: whether its staging copy has it by a pull. changed: whether it differs from what was pulled. partners: what has
 * to be copied with it.
 */
export type StagedTable = SiteTable & { pulled: boolean; changed: boolean; partners: readonly string[] }

/**
 * A site as the source of its staging copy. exists: whether that is there. pulledAt: when the newest pull ended, ISO 8601; empty before the
 * first. filesBytes: null if unknown. mixed: whether some tables are not InnoDB. liveChanges: null if unknown, or without a copy of files.
 */
export type StagingFacts = {
  exists: boolean
  pulledAt: string
  filesBytes: number | null
  mixed: boolean
  tables: StagedTable[]
  liveChanges: LiveChanges | null
}

/**
 * Files of a live site that changed there since the pull, so that a push keeps them. names: the first hundred, without conflicts: those that
 * changed on the staging copy, too. noted: whether the pull noted its files; without, changes are known by time and name only.
 */
export type LiveChanges = { count: number; names: string[]; conflicts: string[]; noted: boolean }

/** Who signs in to a staging copy in a browser. */
export const stagingUser = 'staging'
