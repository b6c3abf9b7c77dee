import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { admissionChangesOf, admissionEnd } from '@/lib/contract/admission'

test('docs/running.md says what adding a server changes on it, as the form says before it is added', async () => {
  const docs = await readFile('docs/running.md', 'utf8')
  for (const { file, description, line } of [...admissionChangesOf('deploy'), ...admissionChangesOf('root')]) {
    expect(docs).toContain(`\`${file}\``)
    expect(docs).toContain(description)
    if (line !== null) expect(docs).toContain(`\`\`\`\n${line}\n\`\`\``)
  }
  expect(docs).toContain(admissionEnd)
})

test('root gets a key alone, another user a rule of sudo too', () => {
  expect(admissionChangesOf('root').map(({ file }) => file)).toEqual(['~/.ssh/authorized_keys'])
  expect(admissionChangesOf('robin').map(({ line }) => line)).toEqual([null, 'robin ALL=(ALL:ALL) NOPASSWD: ALL'])
})
