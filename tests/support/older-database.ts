/** The migration that changes nothing, so that it can come again; the tables of those after it stay. */
export const forgetMigration = `DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_connections_bound'`
