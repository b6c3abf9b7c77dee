/** Installing without a network, with the real npm: reported within half a minute, and no failure if npm's cache suffices. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BareProject, makeBareProject } from '../support/bare-project'

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function listen<T extends Server>(server: T): Promise<T> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

/** npm with a cache of its own, configured for a registry on this machine. */
const settings = (project: BareProject, port: number) => ({
  npm_config_registry: `http://127.0.0.1:${port}/`,
  npm_config_cache: join(project.dir, 'cache'),
})

/** Adds a package to the project's dependencies, and starts the registry that has it. */
async function startRegistry(project: BareProject): Promise<Server> {
  project.write('tiny/package.json', JSON.stringify({ name: 'tiny', version: '1.0.0' }))
  const packed = spawnSync('npm', ['pack', '--silent'], { cwd: join(project.dir, 'tiny'), encoding: 'utf8' })
  const tarball = readFileSync(join(project.dir, 'tiny', packed.stdout.trim()))
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const server = await listen(
    createHttpServer((request, response) => {
      if (request.url?.endsWith('.tgz')) return response.end(tarball)
      if (request.url !== '/tiny') return response.writeHead(404).end('{}')
      const dist = { tarball: `http://127.0.0.1:${portOf(server)}/tiny.tgz`, integrity }
      const version = { name: 'tiny', version: '1.0.0', dist }
      return response.end(JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }))
    }),
  )
  const root = { name: 'bare', version: '1.0.0', dependencies: { tiny: '1.0.0' } }
  project.write('package.json', JSON.stringify(root))
  const packages = { '': root, 'node_modules/tiny': { version: '1.0.0', integrity } }
  project.write('package-lock.json', JSON.stringify({ ...root, lockfileVersion: 3, packages }))
  return server
}

const closings: Record<string, (server: Server) => Promise<Server>> = {
  refuses: async (server) => {
    const port = portOf(server)
    server.close()
    await once(server, 'close')
    return Object.assign(createServer(), { address: () => ({ port }) })
  },
  'accepts and never answers': async (server) => {
    server.close()
    await once(server, 'close')
    return listen(createServer())
  },
}

test.each(Object.entries(closings))('a registry that %s is named within 30 seconds', async (_, close) => {
  using project = makeBareProject()
  const silent = await close(await startRegistry(project))
  const began = performance.now()
  const run = project.start('ready.mjs', settings(project, portOf(silent)))
  expect(await run.ended).toBe(1)
  expect(performance.now() - began).toBeLessThan(30_000)
  expect(run.output()).toMatch(
    /\nnpm's registry http:\/\/127\.0\.0\.1:\d+\/ does not respond \(\w+\), and npm's cache does not hold all the dependencies\. Check the network [^\n]+\n$/,
  )
  expect(project.has('node_modules')).toBe(false)
  silent.close()
})

test('without a network the dependencies are installed from npm’s cache', async () => {
  using project = makeBareProject()
  const registry = await startRegistry(project)
  const env = settings(project, portOf(registry))
  await project.start('ready.mjs', env).ended
  expect(project.has('node_modules/tiny/package.json')).toBe(true)
  await closings.refuses?.(registry)
  project.write('node_modules/.gatehouse-lock', 'of another lockfile')
  project.write('node_modules/tiny/package.json', 'broken')
  const again = project.start('ready.mjs', env)
  await again.ended
  expect(again.output()).toContain('Installed the dependencies in')
  expect(JSON.parse(project.read('node_modules/tiny/package.json'))).toMatchObject({ name: 'tiny' })
})
