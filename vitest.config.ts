import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './tests/run/long-first.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const alias = {
  '@': root.replace(/\/$/, ''),
  'server-only': fileURLToPath(new URL('./tests/support/server-only.ts', import.meta.url)),
}

// Waits as long as it takes: a slow machine is not a failure.
const patient = { poll: { timeout: 15_000 } }

const cores = availableParallelism()
// Tests wait for clocks, packages and processes as much as they compute: one file more than there are cores keeps all cores busy.
// With two more, deletions on a host came to wait longer than the service lets them.
const workers = cores + 1

// Databases are migrated once a run, not once a file.
const globalSetup = './tests/support/database-templates.ts'

// Browsers and hosts share the cores with everything else. `npm test` reports second tries at its end: decision 015.
const secondTry = 1

/** unit needs only Node; hosts needs the lab of real Debian hosts; browser needs a built portal and Chromium. */
export default defineConfig({
  resolve: { alias },
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          maxWorkers: workers,
          globalSetup,
          expect: patient,
          include: [
            'tests/{app,contract,crontab,firewall,sealing,portal,service,architecture,database,settings,backup,rollback,run,text}/**/*.test.ts',
          ],
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'hosts',
          maxWorkers: workers,
          globalSetup,
          expect: patient,
          retry: secondTry,
          include: ['tests/hosts/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'browser',
          maxWorkers: workers,
          expect: patient,
          retry: secondTry,
          include: ['tests/{launcher,browser}/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
