/** What the linters of two makers say about the OpenAPI document that a client gets. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { openTestService } from '../support/service'

async function readDocument(): Promise<string> {
  await using service = await openTestService()
  return (await fetch(`${service.baseUrl}/openapi.json`)).text()
}

test('Spectral’s rules for OpenAPI find nothing but the slash at the end of a path, which the interface has', async () => {
  const spectral = new spectralCore.Spectral()
  // The two packages describe aliases of rule sets differently.
  spectral.setRuleset(oas as RulesetDefinition)
  const found = await spectral.run(JSON.parse(await readDocument()))
  expect(found.map(({ code, path }) => [code, path.join(' ')])).toEqual([['path-keys-no-trailing-slash', 'paths /servers/']])
})

test('Redocly’s recommended rules find nothing but that slash', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: await readDocument(), absoluteRef: 'openapi.json', config })
  expect(found.map(({ ruleId, message }) => [ruleId, message])).toEqual([
    ['no-path-trailing-slash', expect.stringContaining('`/servers/`')],
  ])
})

test('both find what is wrong with a document', async () => {
  const wrong = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Wrong' },
    paths: { '/one': { get: { operationId: 'one', responses: {} } } },
  })
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset(oas as RulesetDefinition)
  expect((await spectral.run(JSON.parse(wrong))).map(({ code }) => code)).toContain('oas3-api-servers')
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: wrong, absoluteRef: 'openapi.json', config })
  expect(found.map(({ ruleId }) => ruleId)).toContain('struct')
})
