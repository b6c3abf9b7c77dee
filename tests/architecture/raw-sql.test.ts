/** Raw SQL has one folder a side, and each statement there says why it is raw: so that another database can follow. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folders = ['lib/portal/base/sql/', 'lib/service/store/sql/']

const filesUnder = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => `${dir}/${name}`)

const doors = [
  // Prisma's own, whatever the client is called or taken apart into.
  /\$(query|execute)Raw/,
  /\bPrisma\s*\.\s*(sql|raw|join|empty)\b/,
  /\{[^}]*\b(sql|raw|join|empty)\b[^}]*\}\s*from\s*'[^']*prisma\/generated/,
  // Beside Prisma: a statement of the driver, or a connection of one's own.
  /\.prepare\(\s*[^)\s]/,
  /\bopenConnection\s*\(/,
  /\bdatabase\(\)\s*\.\s*(read|write|takeTurn|pool)\b/,
]

const holdsRawSql = (text: string): boolean => doors.some((door) => door.test(text))

test('raw SQL occurs only in its folder', () => {
  const planted = [
    'const rows = await db().$queryRaw<Row[]>`SELECT * FROM "Server"`',
    'await tx.$executeRaw`DELETE FROM "Label"`',
    "await client['$queryRawUnsafe'](text)",
    'await db().$executeRawUnsafe(text)',
    'const { $queryRaw: ask } = db()',
    'const where = Prisma.sql`WHERE "goneAt" IS NULL`',
    "import { sql } from '@/prisma/generated/portal/internal/prismaNamespace'",
    "database.prepare('SELECT 1').all()",
    'const connection = openConnection(getSettings().portalDatabase)',
    "await database().read('SELECT 1', [])",
  ]
  expect(planted.filter((text) => !holdsRawSql(text))).toEqual([])
  const rooms = ['app', 'lib/portal', 'lib/service'].flatMap(filesUnder)
  const found = rooms.filter((file) => holdsRawSql(readFileSync(file, 'utf8')))
  expect(found.filter((file) => !folders.some((folder) => file.startsWith(folder)))).toEqual([])
  for (const folder of folders) expect(found.some((file) => file.startsWith(folder))).toBe(true)
})

/** Names of what a file exports as values without saying, right before it, why it is raw. */
const unexplained = (text: string): string[] =>
  [...text.matchAll(/(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:async )?(?:function\*?|const|class|let) (\w+)/g)]
    .filter(([, comment = '']) => !/\bRaw (because|for|to|as)\b/.test(comment))
    .map(([, , name = '']) => name)

test('each statement says why it is raw', () => {
  const statement = 'export async function readRows() {\n  return db().$queryRaw`SELECT 1`\n}\n'
  expect(unexplained(statement)).toEqual(['readRows'])
  expect(unexplained(`/** Reads rows. */\n${statement}`)).toEqual(['readRows'])
  expect(unexplained(`/** Raw because so. */\nconst other = 1\n${statement}`)).toEqual(['readRows'])
  expect(unexplained(`/** Raw because Prisma has no word for it. */\n${statement}`)).toEqual([])
  const silent = folders
    .flatMap((folder) => filesUnder(folder.slice(0, -1)))
    .flatMap((file) => unexplained(readFileSync(file, 'utf8')).map((name) => `${file} ${name}`))
  expect(silent).toEqual([])
})
