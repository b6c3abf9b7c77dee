/** `lock-process.mjs FILE`: another program that holds a database's write lock from each line `lock` on standard input to the next line `unlock`. */
import { createInterface } from 'node:readline'
import { DatabaseSync } from '@photostructure/sqlite'

const database = new DatabaseSync(process.argv[2] ?? '', { timeout: 5_000 })
for await (const line of createInterface({ input: process.stdin })) {
  database.exec(line === 'lock' ? 'BEGIN IMMEDIATE' : 'COMMIT')
  process.stdout.write(`${line}\n`)
}
