import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openPortalDatabase } from '../../support/portal-database'

test.each(['info', 'warn'])(
  'a portal that starts at LOG_LEVEL=%s says its version at level info alone',
  { timeout: 180_000 },
  async (logLevel) => {
    await using portal = await openPortalDatabase()
    const { settings } = portal
    const imports = ['--import', './tests/support/allow-server-only.js', '--import', 'tsx']
    // With a service elsewhere it needs no API key of the bundled one, which a launcher would create.
    const service = { UPSTREAM_URL: 'http://127.0.0.1:9' }
    const environment = { ...service, GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, LOG_LEVEL: logLevel }
    const written = execFileSync(process.execPath, [...imports, 'tests/support/start-process.ts'], {
      env: { ...process.env, NODE_ENV: 'test', ...environment },
      encoding: 'utf8',
    })
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const said = written.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
    expect(said.filter(({ msg }) => msg === 'portal ready')).toMatchObject(
      logLevel === 'info' ? [{ level: 30, version, node: process.version }] : [],
    )
  },
)
