/** A small app, built by Next like the portal, in which one server action closes over a value: what looks for such actions has to find it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Inside the project, where its modules are found. */
const folder = resolve('.next-builds/planted-closure')

const files = {
  // Otherwise Next takes the project's.
  'next.config.js': 'export default {}\n',
  'instrumentation.js': 'export function register() {}\n',
  'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>\n',
  'app/page.js': `export default function Page() {
  const secret = process.env.PLANTED
  async function closing() {
    'use server'
    console.log('closes over', secret)
  }
  return <form action={closing} />
}
`,
  // What is bound is sent to the browser as it is, so it is no secret.
  'app/plain/page.js': "import { plain } from './plain'\nexport default () => <form action={plain.bind(null, 'bound')} />\n",
  'app/plain/plain.js': "'use server'\nexport async function plain(word) {\n  console.log('closes over nothing', word)\n}\n",
}

/** server: the folder of the build that the portal has too. */
export function buildPlantedClosure(): Disposable & { server: string } {
  const remove = () => rmSync(folder, { recursive: true, force: true })
  remove()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
  execFileSync(process.execPath, [resolve('node_modules/next/dist/bin/next'), 'build', '--experimental-build-mode', 'compile', folder], {
    env,
  })
  return { server: join(folder, '.next/server'), [Symbol.dispose]: remove }
}
