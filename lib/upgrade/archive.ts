/** The archive of a release: whose it is, whether it is whole, and unpacking it. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { folderOf, type Installation, UpgradeError } from './installation'
import { checkFolder, hashFile } from './manifest'
import { lastLine, runTool } from './run-tool'
import { checkSignature } from './signature'
import { syncFolder } from './write-safely'

export type Archive = { file: string; version: string; unpackedBytes: number }

/** Rejects with UpgradeError if FILE.sha256 exists and has another hash, if the signature is not valid, or if it is no release for this machine. */
export async function checkArchive(file: string, signed?: { signature: string; key: string }): Promise<Archive> {
  if (!existsSync(file)) throw new UpgradeError(`There is no file ${file}.`)
  await checkHash(file)
  if (signed) await checkSignature(file, signed)
  const { code, stdout, stderr } = await runTool('tar', ['-tvzf', file])
  if (code !== 0) throw new UpgradeError(`${file} is not a whole archive: ${lastLine(stderr)}`)
  const lines = stdout.trim().split('\n')
  const version = /\sgatehouse-([0-9][\w.+~-]*)-linux-x64\/$/.exec(lines[0] ?? '')?.[1]
  if (version === undefined) throw new UpgradeError(`${file} is not a release of Gatehouse for 64-bit Linux (x86).`)
  return { file, version, unpackedBytes: lines.reduce((sum, line) => sum + Number(/^\S+\s+\S+\s+(\d+)/.exec(line)?.[1] ?? 0), 0) }
}

/** FILE.sha256 has the form that sha256sum writes. */
async function checkHash(file: string): Promise<void> {
  const beside = `${file}.sha256`
  if (!existsSync(beside)) return
  const [expected] = readFileSync(beside, 'utf8').trim().split(/\s+/)
  if (expected?.toLowerCase() !== (await hashFile(file)))
    throw new UpgradeError(`${basename(file)} is not the file that ${beside} describes.`)
}

/** Makes the release's folder. It has another name until it is whole, and as its manifest says. Rejects with UpgradeError. */
export async function unpack(installation: Installation, { file, version }: Archive): Promise<void> {
  const [partial, folder] = [join(installation.releases, `.${version}.partial`), folderOf(installation, version)]
  removePartial(installation, version)
  mkdirSync(partial, { mode: 0o755 })
  try {
    const { code, stderr } = await runTool('tar', ['-xpzf', file, '-C', partial, '--strip-components=1', '--no-same-owner'])
    if (code !== 0) throw new UpgradeError(`${file} could not be unpacked: ${lastLine(stderr)}`)
    await checkFolder(partial, version)
    await runTool('sync', ['-f', partial])
    // One that did not start, or that was gone back from.
    rmSync(folder, { recursive: true, force: true })
    renameSync(partial, folder)
    syncFolder(installation.releases)
  } finally {
    removePartial(installation, version)
  }
}

export const removePartial = ({ releases }: Installation, version: string): void =>
  rmSync(join(releases, `.${version}.partial`), { recursive: true, force: true })
