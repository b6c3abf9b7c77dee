/** Whether the portal is ready to serve requests. */
import 'server-only'
import { createWriteCheck } from '@/lib/database/write-check'
import { log } from '@/lib/log'
import { processState } from '@/lib/portal/base/process-state'
import { writeNothing } from '@/lib/portal/base/sql/health'
import { getSettings } from '@/lib/settings/settings'

const writeCheck = processState('write check', () => createWriteCheck(getSettings().portalDatabase, writeNothing, tell))

const tell = (writable: boolean): void => {
  if (writable) log.info('the database accepts writes again')
  else log.error({ database: getSettings().portalDatabase }, 'the database rejects writes: it is locked, or its disk is full')
}

/** True if the database accepts a write and its disk has free space. Reveals nothing more, because anyone may call it. */
export function isReady(): Promise<boolean> {
  return writeCheck()()
}
