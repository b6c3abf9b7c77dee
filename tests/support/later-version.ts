/** A clone of a later version of this project: the same pages in a build with another id, and one more migration. */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildFolder } from '../../lib/launcher/build.mjs'
import { copyProject } from './project-copy'

const migration = 'prisma/portal/migrations-postgresql/29990101000000_of_a_later_version'

/** The id of a build is in many of its files, and as long in every build. */
function renameBuild(folder: string, from: string, to: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  for (const file of files.filter((each) => statSync(each).isFile())) {
    const text = readFileSync(file, 'latin1')
    if (text.includes(from)) writeFileSync(file, text.replaceAll(from, to), 'latin1')
  }
}

/** build: the id of its build. Needs the build of this version. */
export function copyAsLater(): Disposable & { dir: string; build: string } {
  const copy = copyProject(['.next-builds'])
  writeFileSync(join(copy.dir, 'app/later.txt'), 'A later version.\n')
  mkdirSync(join(copy.dir, migration))
  writeFileSync(
    join(copy.dir, migration, 'migration.sql'),
    'CREATE TABLE "Later" ("id" TEXT NOT NULL);\nALTER TABLE "Job" ADD COLUMN "later" TEXT;\n',
  )
  const [own, later] = [buildFolder(), buildFolder(copy.dir)]
  cpSync(own, join(copy.dir, later), { recursive: true })
  renameBuild(join(copy.dir, later), basename(own), basename(later))
  return { ...copy, build: basename(later) }
}
