/** What the linters of two makers say about the OpenAPI document that a client gets. */
import { expect, test } from 'vitest'
import { openTestService } from '../../support/service'
import { loadPackage } from './load-package'

type Finding = { code: string; path: (string | number)[] }
type Spectral = { setRuleset(rules: object): void; run(document: object): Promise<Finding[]> }
type SpectralCore = { default: { Spectral: new () => Spectral } }
type Rulesets = { oas: object }

type Problem = { ruleId: string; message: string }
type Redocly = {
  createConfig(settings: object): Promise<object>
  lintFromString(given: { source: string; absoluteRef: string; config: object }): Promise<Problem[]>
}

const { default: core } = await loadPackage<SpectralCore>('@stoplight/spectral-core')
const { oas } = await loadPackage<Rulesets>('@stoplight/spectral-rulesets')
const redocly = await loadPackage<Redocly>('@redocly/openapi-core')

// /servers/ ends with a slash, because the interface says so, and clients call it so.
const slashOfSpectral = { 'path-keys-no-trailing-slash': 'off' }
const slashOfRedocly = { 'no-path-trailing-slash': 'off' }

async function readDocument(): Promise<string> {
  await using service = await openTestService()
  return (await fetch(`${service.baseUrl}/openapi.json`)).text()
}

function runSpectral(document: string): Promise<Finding[]> {
  const spectral = new core.Spectral()
  spectral.setRuleset({ extends: [oas], rules: slashOfSpectral })
  return spectral.run(JSON.parse(document))
}

async function runRedocly(source: string): Promise<Problem[]> {
  const config = await redocly.createConfig({ extends: ['recommended'], rules: slashOfRedocly })
  return redocly.lintFromString({ source, absoluteRef: 'openapi.json', config })
}

test('Spectral’s rules for OpenAPI find nothing', async () => {
  expect((await runSpectral(await readDocument())).map(({ code, path }) => [code, path.join(' ')])).toEqual([])
})

test('Redocly’s recommended rules find nothing', async () => {
  expect((await runRedocly(await readDocument())).map(({ ruleId, message }) => [ruleId, message])).toEqual([])
})

test('both find what is wrong with a document', async () => {
  const wrong = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Wrong' },
    paths: { '/one': { get: { operationId: 'one', responses: {} } } },
  })
  expect((await runSpectral(wrong)).map(({ code }) => code)).toContain('oas3-api-servers')
  expect((await runRedocly(wrong)).map(({ ruleId }) => ruleId)).toContain('struct')
})
