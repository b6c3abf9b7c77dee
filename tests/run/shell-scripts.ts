/**
 * What shellcheck says of shell scripts. Files of bash that are joined are checked as they are joined, so that shellcheck sees where each name comes
 * from: followed by shellcheck itself, the same files would be read once for each path that leads to them, which takes minutes.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { listParts, sourcesOf } from '@/lib/service/bash'

export type Remark = { file: string; line: number; column: number; level: string; code: number; message: string }
/** Its files in order; shell: sh or bash. */
export type Script = { files: readonly { name: string; text: string }[]; shell: string }

/** Folders whose scripts are joined with files of the same folder in TypeScript, by a list of kinds, steps or subjects. */
const joinedFolders = ['sites/jobs', 'steps', 'upgrade']

/** A name that is not used, or a function that is not called or gets no values: these are remarks only where they are so in each script that has the file. */
const unused: readonly number[] = [2034, 2119, 2120, 2317]

/** What shellcheck says of a script, by file and line. */
async function check({ files, shell }: Script): Promise<Remark[]> {
  const lines = files.flatMap(({ name, text }) => text.split('\n').map((_, at) => ({ file: name, line: at + 1 })))
  const child = spawn('shellcheck', [`--shell=${shell}`, '--format=json', '-'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(files.map(({ text }) => text).join('\n'))
  let printed = ''
  for await (const part of child.stdout.setEncoding('utf8')) printed += part
  const found: Remark[] = JSON.parse(printed)
  return found.map((remark) => ({ ...remark, ...lines[remark.line - 1] }))
}

/** The scripts that are joined below a folder: one for each file that no other uses, except where these are joined again. */
function listJoined(folder: string): Script[] {
  const root = new URL(`../../${folder}/`, import.meta.url)
  const names = listTracked().flatMap((path) =>
    path.startsWith(`${folder}/`) && path.endsWith('.bash') ? [path.slice(folder.length + 1)] : [],
  )
  const used = new Set(names.flatMap((name) => sourcesOf(readFileSync(new URL(name, root), 'utf8'))))
  const roots = names.filter((name) => !used.has(name) || joinedFolders.includes(dirname(name)))
  const groups = groupBy(roots, (name) => (joinedFolders.includes(dirname(name)) ? dirname(name) : name))
  return groups.map((group) => ({
    files: listParts(root, group).map(({ name, text }) => ({ name: `${folder}/${name}`, text: text.replace(/^source .*/gm, '') })),
    shell: 'bash',
  }))
}

const listTracked = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' }).split('\0')

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}

/** Scripts that stand alone. */
function listOthers(): Script[] {
  return listTracked()
    .filter((path) => /(^|\/)[^.]*$|\.sh$|\.bash$/.test(path) && !path.startsWith('lib/service/') && existsSync(path))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      const shell = /^#!\/bin\/(sh|bash)/.exec(text)?.[1] ?? (/\.bash$/.test(path) ? 'bash' : null)
      return shell === null ? [] : [{ files: [{ name: path, text }], shell }]
    })
}

function judge(found: readonly { files: readonly { name: string }[]; remarks: readonly Remark[] }[]): Remark[] {
  const keyOf = ({ file, line, column, code }: Remark) => `${file}:${line}:${column}:${code}`
  const scriptsWith = (file: string) => found.filter(({ files }) => files.some(({ name }) => name === file)).length
  const groups = groupBy(
    found.flatMap(({ remarks }) => remarks),
    keyOf,
  )
  return groups.flatMap(([first, ...more]) =>
    first === undefined || (unused.includes(first.code) && more.length + 1 < scriptsWith(first.file)) ? [] : [first],
  )
}

/** All shell scripts of the repository. */
export const listScripts = (): Script[] => [...listJoined('lib/service/machines/debian'), ...listJoined('lib/service/ssh'), ...listOthers()]

/** All remarks, by file and line. */
export async function checkScripts(scripts: readonly Script[]): Promise<Remark[]> {
  const found = await Promise.all(scripts.map(async (script) => ({ files: script.files, remarks: await check(script) })))
  return judge(found).sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line)
}
