import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { grantsEnd, grantsOf } from '@/lib/contract/grants'

test('docs/running.md says of a server’s grants what the form says before it is added', async () => {
  const docs = await readFile('docs/running.md', 'utf8')
  for (const { file, description, line } of [...grantsOf('deploy'), ...grantsOf('root')]) {
    expect(docs).toContain(`\`${file}\``)
    expect(docs).toContain(description)
    if (line !== null) expect(docs).toContain(`\`\`\`\n${line}\n\`\`\``)
  }
  expect(docs).toContain(grantsEnd)
})

test('root gets a key alone, another user a rule of sudo too', () => {
  expect(grantsOf('root').map(({ file }) => file)).toEqual(['~/.ssh/authorized_keys'])
  expect(grantsOf('robin').map(({ line }) => line)).toEqual([null, 'robin ALL=(ALL:ALL) NOPASSWD: ALL'])
})
