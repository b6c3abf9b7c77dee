/** The commands of a page of docs, for tests that run them as they are. */
import { readFileSync } from 'node:fs'

/** page: its path. part: the name in the comment right above the commands. */
export function commandsOf(page: string, part: string): string {
  const [, commands] = readFileSync(page, 'utf8').split(`<!-- ${part} -->\n\`\`\`sh\n`)
  if (commands === undefined) throw new Error(`${page} has no commands named ${part}.`)
  return commands.slice(0, commands.indexOf('```'))
}
