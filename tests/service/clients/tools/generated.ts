/** Two clients that nobody wrote: one is generated as code from the OpenAPI document, the other made of it when it runs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Target } from '../../support/caller'
import type { Fields, FieldValue, InterfaceClient, Members } from '../walk'
import { loadPackage } from './load-package'

type Described = { operationId: string; tags: string[] }
export type ApiDocument = { paths: Record<string, Record<string, Described>> }

type Codegen = { generate(settings: { input: ApiDocument; output: string; httpClient: 'fetch'; clientName: string }): Promise<void> }

type AxiosCall = (parameters: object, body: object | undefined) => Promise<{ data: Members | string }>
type AxiosSettings = { definition: ApiDocument; axiosConfigDefaults: object }
type ClientAxios = { OpenAPIClientAxios: new (settings: AxiosSettings) => { init(): Promise<Record<string, AxiosCall>> } }

const { generate } = await loadPackage<Codegen>('openapi-typescript-codegen')
const { OpenAPIClientAxios } = await loadPackage<ClientAxios>('openapi-client-axios')

export type Generated = { title: string; create(target: Target, document: ApiDocument): Promise<InterfaceClient> }

export const readDocument = async ({ baseUrl }: Target): Promise<ApiDocument> =>
  (await (await fetch(`${baseUrl}/openapi.json`)).json()) as ApiDocument

/** How the document describes an operation of the interface; two that share a path are one. */
function describedAs({ paths }: ApiDocument, id: string): Described {
  const found = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId.split('_or_').includes(id))
  if (!found) throw new Error(`The document has no ${id}.`)
  return found
}

const asNumber = (value: FieldValue): FieldValue | number => (typeof value === 'boolean' ? Number(value) : value)

/** As the form is described: lists have brackets, and flags are 1 and 0. */
const formOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [typeof value === 'object' ? `${name}[]` : name, asNumber(value)]))

/** As JSON is described: only status is a number. */
const jsonOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, name === 'status' ? asNumber(value) : value]))

type Methods = Readonly<Record<string, (...given: unknown[]) => Promise<Members | string>>>
type GeneratedCode = { Client: new (settings: { BASE: string; TOKEN: string }) => Readonly<Record<string, Methods>> }

/** firewall.saveRule is generated as firewallSaveRule. */
const camelCase = (operationId: string): string => operationId.replace(/[._]+(\w)/g, (_, letter: string) => letter.toUpperCase())

async function loadGenerated(document: ApiDocument): Promise<GeneratedCode> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-client-'))
  try {
    await generate({ input: document, output: join(dir, 'code'), httpClient: 'fetch', clientName: 'Client' })
    const outfile = join(dir, 'client.mjs')
    await build({
      entryPoints: [join(dir, 'code', 'index.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'warning',
    })
    return (await import(pathToFileURL(outfile).href)) as GeneratedCode
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

export const generatedClients: readonly Generated[] = [
  {
    title: 'code of openapi-typescript-codegen, which sends multipart',
    async create({ baseUrl, key }, document) {
      const { Client } = await loadGenerated(document)
      const client = new Client({ BASE: baseUrl, TOKEN: key })
      return async (id, ids, fields) => {
        const { operationId, tags } = describedAs(document, id)
        // Its calls take what is in the path in that order, and then the form.
        const given = [...Object.values(ids), ...(fields ? [formOf(fields)] : [])]
        const call = client[tags[0] ?? '']?.[camelCase(operationId)]
        if (!call) throw new Error(`The generated client has no ${operationId}.`)
        return call.apply(client[tags[0] ?? ''], given)
      }
    },
  },
  {
    title: 'openapi-client-axios, which sends JSON',
    async create({ baseUrl, key }, document) {
      const settings = { baseURL: baseUrl, headers: { authorization: `Bearer ${key}` } }
      const api = new OpenAPIClientAxios({ definition: document, axiosConfigDefaults: settings })
      const client = await api.init()
      return async (id, ids, fields) => {
        const call = client[describedAs(document, id).operationId]
        if (!call) throw new Error(`The client has no ${id}.`)
        const { data } = await call(ids, fields && jsonOf(fields))
        return data
      }
    },
  },
]
