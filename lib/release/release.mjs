/** `npm run release`: one archive that runs on a machine with neither Node nor npm, docs/decisions/077-releases.md. */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  createWriteStream,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { announce } from '../launcher/announce.mjs'
import { makeReady } from '../launcher/ready.mjs'
import { runTool } from '../launcher/tool.mjs'
import { commandFiles, filesBelow, listContents } from './contents.mjs'
import { listLicenses } from './licenses.mjs'
import { fetchPinnedNode, pinnedNode, programOf } from './pinned-node.mjs'
import { settleBuild } from './same-bytes.mjs'
import { writeSbom } from './sbom.mjs'
import { readRelease } from './version.mjs'

/** @typedef {ReturnType<typeof readRelease>} Version */

/** @param {string} from @param {string} to */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { verbatimSymlinks: true, dereference: false })
}

/** SHA-256 in hex. @param {string} file */
const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** SHA-256 of each file, and where each symbolic link leads. @param {string} folder @param {Version} release */
function describeFiles(folder, { version, commit }) {
  /** @type {Record<string, string>} */
  const files = {}
  /** @type {Record<string, string>} */
  const links = {}
  for (const file of filesBelow(folder)) {
    const name = relative(folder, file)
    if (lstatSync(file).isSymbolicLink()) links[name] = readlinkSync(file)
    else files[name] = hashOf(file)
  }
  return { version, commit, files, links }
}

/** @param {string} folder that does not exist yet @param {Version} release @param {import('../launcher/ready.mjs').Made} made */
async function fill(folder, release, made) {
  const node = await fetchPinnedNode()
  for (const file of await listContents(made)) copy(file, join(folder, file))
  settleBuild(join(folder, made.build), made.build)
  copy(programOf(node), join(folder, 'node/bin/node'))
  copy(join(node, 'LICENSE'), join(folder, 'node/LICENSE'))
  for (const file of commandFiles) copy(file, join(folder, file))
  for (const [to, file] of listLicenses()) copy(file, join(folder, to))
  copy('lib/release/gatehouse.sh', join(folder, 'gatehouse'))
  for (const program of ['gatehouse', 'node/bin/node']) chmodSync(join(folder, program), 0o755)
  const write = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    writeFileSync(join(folder, name), typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`)
  const { version, commit } = release
  write('package.json', { name: 'gatehouse', version, private: true, license: 'Apache-2.0', type: 'module' })
  write('release.json', { version, commit, node: pinnedNode.version, ...made })
  write('VERSION', `${version}\n`)
  write('sbom.cdx.json', writeSbom(release))
  write('manifest.json', describeFiles(folder, release))
}

/** The same folder gives the same archive: files are sorted, and have one time, owner and mode. @param {string} folder @param {Version} release */
async function pack(folder, { seconds }) {
  const [plain, archive] = [`${folder}.tar`, `${folder}.tar.gz`]
  const same = ['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--format=gnu']
  const name = relative(dirname(folder), folder)
  const { code, output } = await runTool(['tar', ...same, '-cf', plain, '-C', dirname(folder), name])
  if (code !== 0) throw new Error(`The archive could not be written:\n${output}`)
  await pipeline(createReadStream(plain), createGzip({ level: 9 }), createWriteStream(archive))
  rmSync(plain)
  // In the form of sha256sum, for `sha256sum --check` and for gatehouse upgrade.
  writeFileSync(`${archive}.sha256`, `${hashOf(archive)}  ${basename(archive)}\n`)
  return archive
}

async function release() {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('A release can be made on 64-bit Linux (x86) only.')
  const { values } = parseArgs({ options: { to: { type: 'string', default: 'release' } } })
  const to = resolve(values.to)
  const made = await makeReady({ portal: true })
  const version = readRelease()
  const folder = join(to, `gatehouse-${version.version}-linux-x64`)
  rmSync(folder, { recursive: true, force: true })
  const archive = await announce('Packing the release', 'Packed the release', async () => {
    await fill(folder, version, made)
    return pack(folder, version)
  })
  process.stdout.write(`${relative('.', archive)}: ${(statSync(archive).size / 1e6).toFixed(1)} MB\n`)
}

await release().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
