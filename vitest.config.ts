import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
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
// Hosts and browsers keep all cores busy. With a file more than there are cores, a host takes longer over some work than the service waits
// for it; unit tests have no hosts, and wait for clocks and processes as much as they compute.
const workers = cores
const unitWorkers = cores + 2

// Files of one worker share its process, which loads the portal, a browser and a lab once. Files that replace modules cannot: a module
// that another file has already loaded is not replaced.
const shared = { isolate: false, setupFiles: './tests/support/leave-nothing.ts' }

const mocking = readdirSync(join(root, 'tests'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
  .map(({ parentPath, name }) => join(parentPath, name))
  .filter((file) => /\bvi\.(do)?mock\(/i.test(readFileSync(file, 'utf8')))
  .map((file) => relative(root, file))

const clients = 'tests/service/clients/tools/*.test.ts'

// What concerns custody, the audit log, faults at each statement, what is kept of reads and for jobs, once more on PostgreSQL.
const onPostgresql = [
  'tests/portal/{custody,audit}/*.test.ts',
  'tests/portal/base/*.test.ts',
  'tests/portal/spine/failing-database.test.ts',
  'tests/portal/access/grants/kept-reads.test.ts',
  'tests/portal/identity/throttle.test.ts',
  'tests/portal/batches/run.test.ts',
  'tests/portal/subjects/{archives,backup-targets,credentials}/*.test.ts',
]

// Databases are migrated once a run, not once a file.
const globalSetup = './tests/support/database-templates.ts'

/**
 * unit and mocks need only Node, postgresql also that server, clients also the packages of tests/service/clients/tools. real needs the lab of real Debian hosts (tests/hosts) or a built portal and Chromium (tests/browser,
 * tests/launcher); it is one project, so that the files of both take turns on the same workers.
 */
export default defineConfig({
  resolve: { alias },
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          ...shared,
          maxWorkers: unitWorkers,
          globalSetup,
          expect: patient,
          exclude: [...mocking, clients],
          include: [
            'tests/{app,contract,crontab,firewall,sealing,portal,service,architecture,database,settings,backup,release,rollback,run,text,upgrade,moving}/**/*.test.ts',
          ],
          testTimeout: 300_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'mocks',
          maxWorkers: unitWorkers,
          expect: patient,
          include: mocking,
          testTimeout: 300_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'postgresql',
          ...shared,
          env: { TEST_ENGINE: 'postgresql' },
          maxWorkers: unitWorkers,
          globalSetup,
          expect: patient,
          include: onPostgresql,
          exclude: mocking,
          testTimeout: 300_000,
        },
      },
      {
        resolve: { alias },
        test: { name: 'clients', ...shared, maxWorkers: workers, globalSetup, include: [clients], testTimeout: 300_000 },
      },
      {
        resolve: { alias },
        test: {
          name: 'real',
          ...shared,
          maxWorkers: workers,
          globalSetup,
          expect: patient,
          // A failure that only a busy machine shows must name what it found.
          chaiConfig: { truncateThreshold: 2000 },
          include: ['tests/{hosts,launcher,browser}/**/*.test.ts'],
          testTimeout: 1_200_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
})
