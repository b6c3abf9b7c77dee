/** Clients that keep to the interface, in each way of encoding that it leaves open, through all of its operations. */
import { test } from 'vitest'
import { openTestService } from '../support/service'
import { createHttpClient, dialects } from './http-client'
import { walkInterface } from './walk'

test.each(dialects)('all 48 operations are called with $title', async (dialect) => {
  await using service = await openTestService()
  await walkInterface(createHttpClient(service, dialect))
})
