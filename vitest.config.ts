import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
const alias = {
  '@': root.replace(/\/$/, ''),
  'server-only': fileURLToPath(new URL('./tests/support/server-only.ts', import.meta.url)),
}

/** unit needs nothing but Node; hosts needs the lab of real Debian machines; browser needs a built portal and Chromium. */
export default defineConfig({
  resolve: { alias },
  test: {
    // Two files at a time on any machine: tests wait for processes, hosts and browsers more than they compute.
    maxWorkers: 2,
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['tests/{app,contract,crontab,sealing,portal,service,architecture,database,settings,backup,run}/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        test: { name: 'hosts', include: ['tests/hosts/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
      },
      {
        resolve: { alias },
        test: {
          name: 'browser',
          include: ['tests/{launcher,browser}/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
