/** Which build of the portal runs, so that a page from an older one can say so. */
import 'server-only'
import { readFileSync } from 'node:fs'

let known: string | undefined

/** Changes with every build; empty where there is none, as in tests of single parts. */
export function readBuildId(): string {
  known ??= readOrNothing()
  return known
}

function readOrNothing(): string {
  try {
    return readFileSync('.next/BUILD_ID', 'utf8').trim()
  } catch {
    return ''
  }
}
