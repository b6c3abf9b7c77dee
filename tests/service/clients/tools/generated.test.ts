/** Generated clients through all operations of the interface, with Prism behind them. */
import { expect, test } from 'vitest'
import { openTestService } from '../../support/service'
import { walkInterface } from '../walk'
import { generatedClients, readDocument } from './generated'
import { startPrism } from './prism'

test.each(generatedClients)('all 48 operations are called by $title', async ({ create }) => {
  await using service = await openTestService()
  await using prism = await startPrism(service.baseUrl)
  await walkInterface(await create({ ...service, baseUrl: prism.baseUrl }, await readDocument(service)))
  expect(prism.violations).toEqual([])
})
