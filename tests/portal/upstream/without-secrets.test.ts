/** A service that repeats a password in its reason. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { runOperation } from '@/lib/portal/subjects/spine'
import { openDesk } from '../spine/desk'

const pass = 'hunter2 & co'

test.each([
  [
    'a sentence',
    { error: `The password ${pass} is too common.` },
    { sentence: 'The service could not do this: \u2068The password … is too common.\u2069' },
  ],
  [
    'a code of the interface',
    { code: 'invalid', error: `No: ${pass}`, fields: { pass: `Not ${pass}.` } },
    { sentence: 'No: …', fields: { pass: 'Not ….' } },
  ],
])('security 1: a password that a service repeats in %s is not shown', async (_, body, shown) => {
  await using desk = await openDesk('operator', {
    refuses: ({ fields }) => ('pass' in fields ? { status: 422, body: { success: false, ...body } } : null),
  })
  const { actor, serverId } = desk
  expect(await runOperation(actor, contract.users.save, { serverId }, { user: 'deploy', pass })).toMatchObject({
    ok: false,
    problem: shown,
  })
})
