/** Whether a program of the version before still works on a database once a migration is applied: its rows, and what it writes. */

/** Comments and bodies of functions say nothing about tables. */
const stripped = (sql: string): string => sql.replace(/\$\$[\s\S]*?\$\$/g, "''").replace(/--.*$/gm, '')

const newTable = /^CREATE TABLE "(\w+)"/
const harmless = /^(CREATE TABLE|CREATE TYPE|CREATE (OR REPLACE )?FUNCTION|CREATE INDEX)\b/
const onTable = /^(?:CREATE UNIQUE INDEX .* ON|ALTER TABLE) "(\w+)"/
/** Columns that the version before does not write are empty, or have a default. */
const newColumns =
  /^ALTER TABLE "\w+"\s+ADD COLUMN(?:(?!\bNOT NULL\b)[^,])*(?:NOT NULL DEFAULT [^,]+)?(?:,\s*ADD COLUMN(?:(?!\bNOT NULL\b)[^,])*(?:NOT NULL DEFAULT [^,]+)?)*$/

/**
 * True if the script only adds: tables, indexes, and columns that may be left out. Anything else counts as a change of what is there, also if it is
 * none. sql: a migration for PostgreSQL, as Prisma writes it.
 */
export function isAdditive(sql: string): boolean {
  const statements = stripped(sql)
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  const made = new Set(statements.flatMap((statement) => newTable.exec(statement)?.[1] ?? []))
  return statements.every((statement) => {
    const table = onTable.exec(statement.replace(/\s+/g, ' '))?.[1]
    return harmless.test(statement) || (table !== undefined && made.has(table)) || newColumns.test(statement)
  })
}
