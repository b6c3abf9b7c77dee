import { withoutAnsi } from '../../_ui/ansi'
import type { HeldLine } from './log-buffer'

/** Downloads the lines as a file, without their colours. */
export function downloadLines(name: string, lines: readonly HeldLine[]): void {
  const text = lines.map(({ text: line }) => `${withoutAnsi(line)}\n`).join('')
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name.replace(/[^\w.-]+/g, '-')}-${new Date().toISOString().slice(0, 19).replace(/\D/g, '')}.log`
  link.click()
  URL.revokeObjectURL(url)
}
