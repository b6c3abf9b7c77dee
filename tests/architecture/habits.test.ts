/** Habits that hold the house together, each checked here so that none is a wish. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { diffMigrations } from '@/lib/database/create-migration'

const filesUnder = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => `${dir}/${name}`)

test.each(filesUnder('lib'))('%s opens with one line of purpose', (file) => {
  const text = readFileSync(file, 'utf8').replace(/^'use (server|client)'\n/, '')
  expect(text).toMatch(/^\/\*\* .{20,}/)
})

const holdsValues = (file: string) => /^export (async )?(function|const|class|let)/m.test(readFileSync(file, 'utf8'))

/** Node runs these as they are, and 'server-only' throws there. */
const runsAsItIs = (file: string) => file.endsWith('.mjs')

test.each(filesUnder('lib/portal').filter((file) => holdsValues(file) && !runsAsItIs(file)))(
  '%s refuses to be sent to a browser',
  (file) => {
    expect(readFileSync(file, 'utf8')).toContain("import 'server-only'")
  },
)

/** Handing the whole environment on to a child, setting a variable, and what Next fills in while it builds are no readings. */
const noReadings = [/\.\.\.process\.env\b/g, /\bprocess\.env\.\w+ = /g, /\bprocess\.env\.(NEXT_RUNTIME|NODE_ENV)\b/g]
const readsEnvironment = (text: string) =>
  /\bprocess\b\W{1,3}env\b|\benv\b[^'"\n]* from '(node:)?process'|\benv\b[^=;\n]*\} = process\b/.test(
    noReadings.reduce((rest, pattern) => rest.replace(pattern, ''), text),
  )

/** A file of settings is taken into the environment, or checked, before lib/settings reads any: only the command does that. */
const takesFile = [
  'lib/launcher/caller.mjs',
  'lib/launcher/command-line.mjs',
  'lib/launcher/config.ts',
  'lib/launcher/settings-file.mjs',
  'lib/launcher/take-settings.mjs',
  'lib/release/command.mjs',
]

test('only lib/settings reads the environment, besides what takes a file of settings into it', () => {
  const planted = [
    'const port = process.env.PORT',
    "const port = process['env'].PORT",
    'const port = process?.env?.PORT',
    "import { env } from 'node:process'",
    'const { env } = process',
    'process.env.PORT === port',
    'start(process.env)',
  ]
  expect(planted.filter((text) => !readsEnvironment(text))).toEqual([])
  const sources = [...filesUnder('app'), ...filesUnder('lib'), 'instrumentation.ts', 'proxy.ts']
  expect(sources.filter((file) => readsEnvironment(readFileSync(file, 'utf8')))).toEqual([...takesFile, 'lib/settings/settings.ts'])
})

/** Functions of Node whose answers changed between versions of it: lib/text/ascii-domain, lib/contract/utf8 and lib/contract/multipart decide instead. */
const askNode = (text: string): string[] => text.match(/\b(domainToASCII|domainToUnicode|formData(?=\(\))|TextDecoder(?=\(\)))/g) ?? []

test('which names and bodies are good does not depend on the version of Node', () => {
  const planted = "import { domainToASCII } from 'node:url'\nconst form = await request.formData()\nnew TextDecoder()\n"
  expect(askNode(planted)).toEqual(['domainToASCII', 'formData', 'TextDecoder'])
  const asking = [...filesUnder('app'), ...filesUnder('lib')].filter((file) => askNode(readFileSync(file, 'utf8')).length > 0)
  expect(asking).toEqual([])
})

/** The actions of the portal that a text imports and calls itself. */
function calledActions(text: string): string[] {
  const imported = [...text.matchAll(/import \{([^}]*)\} from '[^']*\/actions'/g)].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
  return imported.filter((name) => new RegExp(`\\b${name}\\(`).test(text))
}

test('only callAction sends a server action', () => {
  const planted = "import { deleteCronJob } from './actions'\nconst answer = await deleteCronJob(null, form)\n"
  expect(calledActions(planted)).toEqual(['deleteCronJob'])
  const senders = filesUnder('app').flatMap((file) => calledActions(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`))
  expect(senders).toEqual([])
})

test.each(['portal', 'service'] as const)('the migrations of the %s make exactly its schema', async (schema) => {
  expect(await diffMigrations(schema)).toBe('')
})

test('every dependency is pinned to one version', () => {
  const manifest: { dependencies: Record<string, string>; devDependencies: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version),
  )
  expect(loose).toEqual([])
})

/** The arguments of each toMatchObject in a text, without the content of strings. */
function matchedObjects(text: string): string[] {
  const [, ...calls] = text.replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''").split('toMatchObject(')
  return calls.map((call) => {
    let open = 1
    const end = [...call].findIndex((character) => {
      open += character === '(' ? 1 : character === ')' ? -1 : 0
      return open === 0
    })
    return call.slice(0, end)
  })
}

/** A pattern as a member, an element or the whole; one inside of expect.stringMatching comes after a bracket. */
const barePattern = /(?:^|[:,[])\s*\/(?![/*])/

test('toMatchObject is given no bare pattern: it takes any value for a match of one', () => {
  expect(matchedObjects("toMatchObject({ a: 'b:/c', d: /^(e)/ })").filter((given) => barePattern.test(given))).toHaveLength(1)
  const careless = filesUnder('tests').filter(
    (file) => !file.endsWith('habits.test.ts') && matchedObjects(readFileSync(file, 'utf8')).some((given) => barePattern.test(given)),
  )
  expect(careless).toEqual([])
})

/** The second holder of a name would read the value of the first, whose shape is another. */
test('no two places keep process state under the same name', () => {
  const names = filesUnder('lib/portal').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:processState|fewAtOnce)(?:<[^(]*>)?\(\s*'([^']+)'/g)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
