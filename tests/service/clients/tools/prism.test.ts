/** The service against its own OpenAPI document, with Prism between it and a client. */
import { expect, test } from 'vitest'
import { post } from '../../support/caller'
import { openTestService } from '../../support/service'
import { createHttpClient, documented } from '../http-client'
import { walkInterface } from '../walk'
import { startPrism } from './prism'

test.each(documented)('Prism finds nothing wrong with the calls and answers of all 48 operations: $title', async (dialect) => {
  await using service = await openTestService()
  await using prism = await startPrism(service.baseUrl)
  await walkInterface(createHttpClient({ ...service, baseUrl: prism.baseUrl }, dialect))
  expect(prism.violations).toEqual([])
})

test('Prism does find what is wrong with a call', async () => {
  await using service = await openTestService()
  await using prism = await startPrism(service.baseUrl)
  expect(await post({ ...service, baseUrl: prism.baseUrl }, '/servers/create', { name: 'alone' })).toMatchObject({ status: 422 })
  expect(prism.violations).not.toEqual([])
})
