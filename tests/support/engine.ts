/** Which engine the tests' databases are on: the project `postgresql` of vitest.config.ts runs files again on the other one. */
import type { Engine } from '@/lib/database/schema-engine'

export const testEngine: Engine = process.env.TEST_ENGINE === 'postgresql' ? 'postgresql' : 'sqlite'
