/** Which migrations a portal of the version before survives. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isAdditive } from '@/lib/database/additive'

test('the migration that brought several portals adds only', () => {
  const folder = 'prisma/portal/migrations-postgresql/20261127210000_several_portals'
  expect(isAdditive(readFileSync(`${folder}/migration.sql`, 'utf8'))).toBe(true)
})

test.each([
  ['a column that may be empty', 'ALTER TABLE "Job" ADD COLUMN     "note" TEXT;'],
  ['two columns', `ALTER TABLE "Job" ADD COLUMN "a" TEXT,\nADD COLUMN     "b" INTEGER NOT NULL DEFAULT 0;`],
  [
    'a table with what belongs to it',
    'CREATE TABLE "A" ("id" TEXT NOT NULL);\nCREATE UNIQUE INDEX "A_i" ON "A"("id");\nALTER TABLE "A" ADD CONSTRAINT "A_f" FOREIGN KEY ("id") REFERENCES "B"("id");\n',
  ],
  ['a function', 'CREATE FUNCTION "f"() RETURNS TEXT LANGUAGE plpgsql AS $$ BEGIN DELETE FROM "A"; DROP TABLE "A"; END $$;'],
])('%s is added', (_, sql) => {
  expect(isAdditive(sql)).toBe(true)
})

test.each([
  ['a column that has to be written', 'ALTER TABLE "Job" ADD COLUMN "note" TEXT NOT NULL;'],
  ['one of two', 'ALTER TABLE "Job" ADD COLUMN "a" TEXT,\nADD COLUMN "b" TEXT NOT NULL;'],
  ['a column that is dropped', 'ALTER TABLE "Job" DROP COLUMN "note";'],
  ['one added and one dropped', 'ALTER TABLE "Job" ADD COLUMN "a" TEXT, DROP COLUMN "b";'],
  ['a column that is renamed', 'ALTER TABLE "Job" RENAME COLUMN "a" TO "b";'],
  ['a column that may not be empty any more', 'ALTER TABLE "Job" ALTER COLUMN "a" SET NOT NULL;'],
  ['a table that is dropped', 'DROP TABLE "Job";'],
  ['a value of an enum, which the version before cannot read', `ALTER TYPE "Role" ADD VALUE 'guest';`],
  ['a unique index on a table that is there', 'CREATE UNIQUE INDEX "i" ON "Job"("id");'],
  ['rows that are changed', `CREATE TABLE "A" ("id" TEXT);\nUPDATE "Job" SET "note" = '';`],
])('%s is more than an addition', (_, sql) => {
  expect(isAdditive(sql)).toBe(false)
})
