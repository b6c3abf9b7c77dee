/** For each test file that shares its process with others. After it, restores settings, environment, clocks, mocks, log level and process state. */
import { afterAll, vi } from 'vitest'
import { log } from '@/lib/log'
import { getSettings } from '@/lib/settings/settings'
import { forgetProcess } from './reset-process'

const settings = { ...getSettings() }
const environment = { ...process.env }
const { level } = log

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  Object.assign(getSettings(), settings)
  log.level = level
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  forgetProcess()
})
