/** Measures in a temporary folder, which is removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Section } from './report'

export async function inFolder(measure: (folder: string) => Promise<Section>): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  try {
    return await measure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
