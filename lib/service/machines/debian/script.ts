/** Reads the bash scripts of this folder, which are stored next to the code that runs them and do not change while the service runs. */
import { readFileSync } from 'node:fs'
import { joinBash, listParts, type Part, withoutSources } from '@/lib/service/bash'

const root = new URL('./', import.meta.url)

/** A script of the package that is on the server: host/package.ts. name: by which it is begun. before, after: lines of bash around its files. */
export type PackagedScript = { readonly name: string; readonly files: readonly string[]; readonly before?: string; readonly after?: string }

/** The files of a script in their order, without the lines that name others. */
export const listScriptParts = (names: readonly string[]): Part[] => listParts(root, names).map(withoutSources)

/** Files of bash and all that these use, as one script. Their paths begin at this folder. */
export const readScript = (...names: string[]): string => joinBash(root, names)

/** The same without lines of comments, for what is sent with each job. Throws if it has a here-document, whose lines may begin alike. */
export function readShortScript(name: string): string {
  const script = readScript(name)
  if (/<<-?['"\w]/.test(script)) throw new Error(`${name} has a here-document.`)
  return script.replace(/^\s*#.*\n/gm, '')
}

/** PHP files of one folder as one program, without the line that begins PHP: what one requires of the others comes before it. */
export function readProgram(beside: string, ...names: string[]): string {
  return names
    .map((name) =>
      readFileSync(new URL(name, beside), 'utf8')
        .replace(/^<\?php\n/, '')
        .replace(/^require_once __DIR__ .*\n/gm, ''),
    )
    .join('\n')
}

/** A bash function that prints a text. */
export const printing = (name: string, text: string): string => `${name}() {\n  cat <<'END_OF_TEXT'\n${text}END_OF_TEXT\n}`
