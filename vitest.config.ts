import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
const alias = {
  '@': root.replace(/\/$/, ''),
  'server-only': fileURLToPath(new URL('./tests/support/server-only.ts', import.meta.url)),
}

// Waits as long as it takes: a slow machine is not a failure.
const patient = { poll: { timeout: 15_000 } }

const cores = availableParallelism()
// Tests of hosts and browsers wait for processes as much as they compute: one file more than there are cores keeps all cores busy.
const waiting = cores + 1

// Browsers and hosts share the cores with everything else. `npm test` reports second tries at its end: decision 015.
const secondTry = 1

/** unit needs only Node; hosts needs the lab of real Debian hosts; browser needs a built portal and Chromium. */
export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          maxWorkers: cores,
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
          maxWorkers: waiting,
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
          maxWorkers: waiting,
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
