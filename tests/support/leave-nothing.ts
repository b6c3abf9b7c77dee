/** Runs before each test file that shares its process with others: what the file changes there ends with it. */
import { afterAll, vi } from 'vitest'
import { getSettings } from '@/lib/settings/settings'
import { forgetProcess } from './reset-process'

const settings = { ...getSettings() }
const environment = { ...process.env }

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  Object.assign(getSettings(), settings)
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  forgetProcess()
})
