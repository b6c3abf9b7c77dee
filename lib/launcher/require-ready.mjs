/** Imported before a command that needs the dependencies and the database clients: prints what to run if they are missing. */
import { existsSync } from 'node:fs'

const needed = ['node_modules/tsx', 'prisma/generated/portal/stamp', 'prisma/generated/service/stamp']

if (!needed.every((path) => existsSync(path))) {
  process.stderr.write('Gatehouse is not installed here yet. Run "npm run ready" first.\n')
  process.exit(1)
}
