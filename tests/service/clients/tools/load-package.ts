import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const loader = resolve('.clients/load.mjs')

/** Loads a package of tests/service/clients/tools. The caller says what it uses of it: the types are there only where it is installed. */
export async function loadPackage<Used>(name: string): Promise<Used> {
  if (!existsSync(loader)) throw new Error('The packages of these tests are missing: npm test -- clients installs them.')
  const { load } = (await import(pathToFileURL(loader).href)) as { load(name: string): Promise<unknown> }
  return (await load(name)) as Used
}
