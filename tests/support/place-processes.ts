/** The processes of a test's Gatehouse, found by what they were started with. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Place } from './gatehouse-process'

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** All processes of this place. */
export const processesOf = (place: Place): string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && read(name, 'environ').includes(`GATEHOUSE_DATA=${place.dir}/`))

/** The one process of this place whose command line has this word in it. Throws where there is none, or several. */
export function findProcess(place: Place, word: string): number {
  const found = processesOf(place).filter((pid) => read(pid, 'cmdline').includes(word))
  const [pid, ...others] = found
  if (pid === undefined || others.length > 0) throw new Error(`${found.length} processes with ${word}`)
  return Number(pid)
}
