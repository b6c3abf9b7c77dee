/** Parses a line of the event file on the server: time, step, progress, status, message and error, separated by tabs. */

import { cleanText } from '@/lib/service/clean-text'
import type { InstallLine } from '@/lib/service/machines/machine'

/** Never throws: a line that a power cut truncated is shown as it is. */
export function parseInstallLine(text: string, line: number): InstallLine {
  const [, step = '', progress = '', status = '', message = '', error = ''] = text.split('\t')
  const percent = Math.min(100, Math.max(0, Number.parseInt(progress, 10) || 0))
  const known = status === 'done' || status === 'failed' ? status : 'running'
  const parsed: InstallLine = { line, step: cleanText(step), progress: percent, status: known, message: cleanText(message, 500) }
  return error.trim() === '' ? parsed : { ...parsed, error: cleanText(error, 500) }
}
