/** The borders between rooms are held by a tool; these tests show that the tool really looks. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { portalBreaks } from './portal-breaks'

const depcruise = [
  '--import',
  resolve('tests/architecture/tsx-parser.mjs'),
  resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
]

type Report = { summary: { violations: { from: string; rule: { name: string } }[]; totalCruised: number } }

function cruise(cwd: string, folders: string[]): Report {
  // Through a file: the tool ends before a pipe has taken a long report.
  const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-cruise-')), 'report.json')
  spawnSync(
    process.execPath,
    [...depcruise, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', '--output-to', file, ...folders],
    { cwd },
  )
  const report: Report = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(dirname(file), { recursive: true })
  return report
}

/** A tree with nothing in it but the given files, under the project's own rules. */
function plant(files: Record<string, string>): Disposable & { dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-borders-'))
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'node_modules', 'package.json'])
    symlinkSync(resolve(name), join(dir, name))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), text)
  }
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) }
}

const nothing = 'export const nothing = 0\n'

/** Each break of a rule: the file that breaks it, what it says, and what has to exist for that. */
const breaks: [rule: string, file: string, text: string, others: Record<string, string>][] = [
  [
    'no-cycles',
    'lib/portal/a.ts',
    "import { nothing } from './b'\nexport const a = nothing\n",
    { 'lib/portal/b.ts': "import { a } from './a'\nexport const nothing = a\n" },
  ],
  ['contract-imports-zod-only', 'lib/contract/a.ts', "import { readFileSync } from 'node:fs'\nexport const a = readFileSync\n", {}],
  [
    'portal-never-service',
    'lib/portal/a.ts',
    "import { nothing } from '@/lib/service/b'\nexport const a = nothing\n",
    { 'lib/service/b.ts': nothing },
  ],
  [
    'portal-never-service',
    'lib/portal/deep/a.ts',
    "import { nothing } from '../../service/b'\nexport const a = nothing\n",
    { 'lib/service/b.ts': nothing },
  ],
  [
    'service-never-portal',
    'lib/service/a.ts',
    "import { nothing } from '@/lib/portal/b'\nexport const a = nothing\n",
    { 'lib/portal/b.ts': nothing },
  ],
  [
    'app-never-service',
    'app/a.ts',
    "import { nothing } from '@/lib/service/b'\nexport const a = nothing\n",
    { 'lib/service/b.ts': nothing },
  ],
  ['portal-never-screens', 'lib/portal/a.ts', "import { nothing } from '@/app/b'\nexport const a = nothing\n", { 'app/b.ts': nothing }],
  [
    'shared-code-imports-no-half',
    'lib/sealing/a.ts',
    "import { nothing } from '@/lib/portal/b'\nexport const a = nothing\n",
    { 'lib/portal/b.ts': nothing },
  ],
  [
    'shared-code-imports-limits-only',
    'lib/firewall/a.ts',
    "import { nothing } from '@/lib/contract/b'\nexport const a = nothing\n",
    { 'lib/contract/b.ts': nothing },
  ],
  [
    'ui-knows-no-operation',
    'app/_ui/a.ts',
    "import { nothing } from '@/lib/contract/b'\nexport const a = nothing\n",
    { 'lib/contract/b.ts': nothing },
  ],
  [
    'shared-knows-no-feature',
    'app/_shared/a.ts',
    "import { nothing } from '../(portal)/servers/b'\nexport const a = nothing\n",
    { 'app/(portal)/servers/b.ts': nothing },
  ],
  [
    'feature-never-feature',
    'app/(portal)/jobs/[jobId]/a.ts',
    "import { nothing } from '../../servers/b'\nexport const a = nothing\n",
    { 'app/(portal)/servers/b.ts': nothing },
  ],
  [
    'feature-never-feature',
    'app/(public)/setup/a.ts',
    "import { nothing } from '../../(portal)/(home)/b'\nexport const a = nothing\n",
    { 'app/(portal)/(home)/b.ts': nothing },
  ],
  [
    'feature-never-feature',
    'app/(portal)/(home)/a.ts',
    "import { nothing } from '@/app/(portal)/keys/b'\nexport const a = nothing\n",
    { 'app/(portal)/keys/b.ts': nothing },
  ],
  [
    'part-never-part',
    'app/(portal)/servers/[serverId]/cron/a.ts',
    "import { nothing } from '../firewall/b'\nexport const a = nothing\n",
    { 'app/(portal)/servers/[serverId]/firewall/b.ts': nothing },
  ],
  [
    'part-never-part',
    'app/(portal)/servers/[serverId]/settings/a.ts',
    "import { nothing } from '../../new/b'\nexport const a = nothing\n",
    { 'app/(portal)/servers/new/b.ts': nothing },
  ],
  [
    'new-never-part',
    'app/(portal)/servers/new/a.ts',
    "import { nothing } from '../[serverId]/install/b'\nexport const a = nothing\n",
    { 'app/(portal)/servers/[serverId]/install/b.ts': nothing },
  ],
  [
    'reads-know-no-feature',
    'app/api/jobs/a.ts',
    "import { nothing } from '../../(portal)/jobs/b'\nexport const a = nothing\n",
    { 'app/(portal)/jobs/b.ts': nothing },
  ],
  [
    'only-machines-know-ssh',
    'lib/service/routes/a.ts',
    "import { nothing } from '../ssh/b'\nexport const a = nothing\n",
    { 'lib/service/ssh/b.ts': nothing },
  ],
  [
    'only-machines-know-ssh',
    'lib/service/http.ts',
    "import type { Nothing } from './ssh/b'\nexport type A = Nothing\n",
    { 'lib/service/ssh/b.ts': 'export type Nothing = 0\n' },
  ],
  [
    'machines-never-routes',
    'lib/service/machines/a.ts',
    "import { nothing } from '../routes/b'\nexport const a = nothing\n",
    { 'lib/service/routes/b.ts': nothing },
  ],
  [
    'ssh-is-the-lowest',
    'lib/service/ssh/a.ts',
    "import { nothing } from '../machines/b'\nexport const a = nothing\n",
    { 'lib/service/machines/b.ts': nothing },
  ],
  [
    'facts-and-changes-receive-the-transport',
    'lib/service/machines/debian/facts/a.ts',
    "import { nothing } from '@/lib/service/ssh/b'\nexport const a = nothing\n",
    { 'lib/service/ssh/b.ts': nothing },
  ],
  ['only-one-place-uses-ssh2', 'lib/service/routes/a.ts', "import { Client } from 'ssh2'\nexport const a = Client\n", {}],
  [
    'only-one-place-uses-prisma',
    'app/a.ts',
    "import { nothing } from '@/prisma/generated/portal/client'\nexport const a = nothing\n",
    { 'prisma/generated/portal/client.ts': nothing },
  ],
  [
    'only-one-place-uses-next-auth',
    'app/a.ts',
    "import { getServerSession } from 'next-auth/next'\nexport const a = getServerSession\n",
    {},
  ],
  [
    'only-one-place-sends-mail',
    'lib/portal/entry/a.ts',
    "import { createTransport } from 'nodemailer'\nexport const a = createTransport\n",
    {},
  ],
  ['only-one-place-uses-notices', 'app/_shared/a.ts', "import { toast } from 'sonner'\nexport const a = toast\n", {}],
  ['only-one-place-uses-egress', 'lib/portal/a.ts', "import { Agent } from 'undici'\nexport const a = Agent\n", {}],
  [
    'only-custody-opens-sealed-keys',
    'lib/portal/a.ts',
    "import { nothing } from '@/lib/sealing/envelope'\nexport const a = nothing\n",
    { 'lib/sealing/envelope.ts': nothing },
  ],
  [
    'only-the-spine-calls-upstream',
    'lib/portal/a.ts',
    "import { nothing } from './upstream/egress'\nexport const a = nothing\n",
    { 'lib/portal/upstream/egress.ts': nothing },
  ],
]

test.each(breaks)('an import that breaks %s is found', (rule, file, text, others) => {
  using tree = plant({ [file]: text, ...others })
  const folders = ['app', 'lib', 'prisma'].filter((name) => [file, ...Object.keys(others)].some((path) => path.startsWith(`${name}/`)))
  const found = cruise(tree.dir, folders).summary.violations.map((violation) => `${violation.rule.name} ${violation.from}`)
  expect(found).toContain(`${rule} ${file}`)
})

test('every import that breaks the order of the portal, or goes round one of its doors, is found', () => {
  const others = portalBreaks.map(({ other }) => [other, nothing])
  using tree = plant(Object.fromEntries([...others, ...portalBreaks.map(({ file, text }) => [file, text])]))
  const found = cruise(tree.dir, ['lib']).summary.violations.map((violation) => `${violation.rule.name} ${violation.from}`)
  expect(found).toEqual(expect.arrayContaining(portalBreaks.map(({ rule, file }) => `${rule} ${file}`)))
})

test('no rule goes without a planted break', () => {
  const { forbidden }: { forbidden: { name: string }[] } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs')
  const broken = [...breaks.map(([rule]) => rule), ...portalBreaks.map(({ rule }) => rule)]
  expect(new Set(broken)).toEqual(new Set(forbidden.map(({ name }) => name)))
})

test('a feature may import what is its own, at any depth, and what features share', () => {
  using tree = plant({
    'app/(portal)/(home)/a.ts': "import { nothing } from './deep/b'\nexport const a = nothing\n",
    'app/(portal)/(home)/deep/b.ts': "import { c } from '../c'\nexport const nothing = c\n",
    'app/(portal)/(home)/c.ts': "import { nothing } from '@/app/_shared/d'\nexport const c = nothing\n",
    'app/_shared/d.ts': nothing,
  })
  const { violations, totalCruised } = cruise(tree.dir, ['app']).summary
  expect(totalCruised).toBe(4)
  expect(violations).toEqual([])
})

test('a part of a subject may import what is its own, what its subject has, and what features share', () => {
  using tree = plant({
    'app/(portal)/servers/[serverId]/cron/a.ts': "import { b } from './deep/b'\nimport { c } from '../c'\nexport const a = [b, c]\n",
    'app/(portal)/servers/[serverId]/cron/deep/b.ts': "import { d } from '../../../d'\nexport const b = d\n",
    'app/(portal)/servers/[serverId]/c.ts': nothing.replace('nothing', 'c'),
    'app/(portal)/servers/d.ts': nothing.replace('nothing', 'd'),
  })
  const { violations, totalCruised } = cruise(tree.dir, ['app']).summary
  expect(totalCruised).toBe(4)
  expect(violations).toEqual([])
})

test('the project itself is looked at whole and breaks no border', () => {
  const { summary } = cruise('.', ['app', 'lib', 'prisma', 'instrumentation.ts', 'proxy.ts'].filter(existsSync))
  expect(summary.totalCruised).toBeGreaterThan(50)
  expect(summary.violations).toEqual([])
})
